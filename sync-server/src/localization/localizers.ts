/** The languages of the server's pages and e-mails: English, and one for each catalogue of the i18n package. */
import { readdirSync, readFileSync } from 'node:fs';
import { type Catalogue, createLocalizer, type Localizer, SOURCE_LANGUAGE } from '@parley/i18n';
import { z } from 'zod';

/** The built server keeps the same folders. */
const CATALOGUE_FOLDER = new URL('../../../packages/i18n/src/locales/', import.meta.url);
const ENDING = '.json';

export const LANGUAGES: readonly string[] = [
  SOURCE_LANGUAGE,
  ...readdirSync(CATALOGUE_FOLDER)
    .filter((name) => name.endsWith(ENDING))
    .map((name) => name.slice(0, -ENDING.length))
    .toSorted(),
];

const localizers = new Map<string, Localizer>();

/** Falls back to English for a language without a catalogue. A catalogue is read when it is first needed. */
export function localizerFor(language: string): Localizer {
  const spoken = LANGUAGES.includes(language) ? language : SOURCE_LANGUAGE;
  const known = localizers.get(spoken) ?? createLocalizer(spoken, readCatalogue(spoken));
  localizers.set(spoken, known);
  return known;
}

function readCatalogue(language: string): Catalogue {
  if (language === SOURCE_LANGUAGE) return {};
  const json: unknown = JSON.parse(readFileSync(new URL(language + ENDING, CATALOGUE_FOLDER), 'utf8'));
  return z.record(z.string(), z.string()).parse(json);
}
