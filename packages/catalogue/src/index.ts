/** The starter courses, and the conversion of content files to rows. */
export { loadStarterCatalogue, type StarterCatalogue } from './starter-catalogue.ts';
export { loadSharedUnderstanding, type SharedUnderstanding } from './shared-understanding.ts';
