/** The starter catalogue as rows. The server's first start and a device that has never been online load the same rows. */
import bundle from './generated/starter-catalogue.json' with { type: 'json' };
import { parseCatalogue, type StarterCatalogue } from './parse-catalogue.ts';

/** Parses the bundle on every call, which takes about 20 ms. */
export const loadStarterCatalogue = (): StarterCatalogue => parseCatalogue(bundle);
