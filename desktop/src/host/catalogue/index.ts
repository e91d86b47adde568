export { type Catalogue, createCatalogue, type PracticeObjective, type StoredPractice } from './catalogue.ts';
export { type CatalogueRows, installBundledCatalogue } from './seed-catalogue.ts';
