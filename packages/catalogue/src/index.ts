/** The starter courses, and the conversion of content files to rows. */
export { loadStarterCatalogue } from './starter-catalogue.ts';
export type { StarterCatalogue } from './parse-catalogue.ts';
export { loadSharedUnderstanding, type SharedUnderstanding } from './shared-understanding.ts';
