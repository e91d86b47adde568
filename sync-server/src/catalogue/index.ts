export { type CatalogueWriter, changeCatalogue } from './catalogue-writer.ts';
export { adopt, installStarterCatalogue } from './install-starter-catalogue.ts';
export { publishContent, withdrawContent } from './publish-content.ts';
export { readTags } from './publish-post.ts';
export { readContent, type StoredContent } from './read-content.ts';
export { bundledStarter } from './starter-content.ts';
