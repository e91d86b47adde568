/** Reads the starter catalogue from its file. An imported JSON module would stay in memory for as long as the process runs. */
import { readFileSync } from 'node:fs';
import { parseCatalogue, type StarterCatalogue, type WireCatalogue } from './parse-catalogue.ts';

const BUNDLE = new URL('./generated/starter-catalogue.json', import.meta.url);

export const readStarterCatalogue = (): StarterCatalogue =>
  parseCatalogue(JSON.parse(readFileSync(BUNDLE, 'utf8')) as WireCatalogue);
