export { type Catalogue, createCatalogue, type PracticeObjective } from './catalogue.ts';
export { findPracticeWithSound } from './practice-with-sound.ts';
export { type CatalogueRows, installBundledCatalogue } from './seed-catalogue.ts';
