/** The languages of the panel: English, and one for each catalogue file. The choice stays in this browser. */
import {
  activateLanguage,
  type Catalogue,
  chooseLanguage,
  directionOf,
  PSEUDO_CATALOGUE,
  PSEUDO_LANGUAGE,
  SOURCE_LANGUAGE,
} from '@parley/i18n';

const CATALOGUE_FOLDER = '../../locales/';

/** Loads of a catalogue by its path. The build adds what the app's catalogue translates already. */
const loads = import.meta.glob<Catalogue>('../../locales/*.json', { import: 'default' });

export const LANGUAGES: readonly string[] = [
  SOURCE_LANGUAGE,
  ...Object.keys(loads).map((path) => path.slice(CATALOGUE_FOLDER.length, -'.json'.length)),
];

const STORAGE_KEY = 'parley-admin-language';

/** Null follows the browser. */
export const readLanguageChoice = (): string | null => localStorage.getItem(STORAGE_KEY);

export function storeLanguageChoice(choice: string | null): void {
  if (choice === null) localStorage.removeItem(STORAGE_KEY);
  else localStorage.setItem(STORAGE_KEY, choice);
}

export const languageOf = (choice: string | null): string => {
  const wanted = choice === null ? navigator.languages : [choice];
  return wanted[0] === PSEUDO_LANGUAGE ? PSEUDO_LANGUAGE : chooseLanguage(wanted, LANGUAGES);
};

/** Everything that is evaluated afterwards is in this language, so the screens are loaded after it. */
export async function startLanguage(): Promise<void> {
  const language = languageOf(readLanguageChoice());
  if (language === PSEUDO_LANGUAGE) activateLanguage(language, PSEUDO_CATALOGUE);
  else {
    const catalogue = await loads[`${CATALOGUE_FOLDER}${language}.json`]?.();
    if (catalogue !== undefined) activateLanguage(language, catalogue);
  }
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
}
