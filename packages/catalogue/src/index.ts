/** The starter courses, and how content files become rows. */
export { CATALOGUE_TABLES, loadStarterCatalogue, type StarterCatalogue } from './starter-catalogue.ts';
