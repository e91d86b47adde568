export { type Catalogue, createCatalogue, type PracticeObjective, type StoredPractice } from './catalogue.ts';
export { findPracticeWithSound } from './practice-with-sound.ts';
export { type CatalogueRows, installBundledCatalogue } from './seed-catalogue.ts';
