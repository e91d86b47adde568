/** The languages of the interface: English, and one for each catalogue file. */
import {
  activateLanguage,
  type Catalogue,
  chooseLanguage,
  directionOf,
  PSEUDO_CATALOGUE,
  PSEUDO_LANGUAGE,
  SOURCE_LANGUAGE,
} from '@parley/i18n';

const CATALOGUE_FOLDER = '../../../../../packages/i18n/src/locales/';

/** Loads of a catalogue by its path; a file that is added there is a language. */
const loads = import.meta.glob<Catalogue>('../../../../../packages/i18n/src/locales/*.json', { import: 'default' });

export const LANGUAGES: readonly string[] = [
  SOURCE_LANGUAGE,
  ...Object.keys(loads).map((path) => path.slice(CATALOGUE_FOLDER.length, -'.json'.length)),
];

/** Null follows the system. */
export const languageOf = (choice: string | null): string => {
  const wanted = choice === null ? navigator.languages : [choice];
  return wanted[0] === PSEUDO_LANGUAGE ? PSEUDO_LANGUAGE : chooseLanguage(wanted, LANGUAGES);
};

/** Everything that is evaluated afterwards is in this language, so the screens are loaded after it. */
export async function startLanguage(choice: string | null): Promise<string> {
  const language = languageOf(choice);
  if (language === PSEUDO_LANGUAGE) activateLanguage(language, PSEUDO_CATALOGUE);
  else {
    const catalogue = await loads[`${CATALOGUE_FOLDER}${language}.json`]?.();
    if (catalogue !== undefined) activateLanguage(language, catalogue);
  }
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
  return language;
}
