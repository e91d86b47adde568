/** The languages of an interface: English, and one for each catalogue file that its build has found. */
import {
  activateLanguage,
  type Catalogue,
  chooseLanguage,
  directionOf,
  PSEUDO_CATALOGUE,
  PSEUDO_LANGUAGE,
  SOURCE_LANGUAGE,
} from '@parley/i18n';

export interface InterfaceLanguages {
  languages: readonly string[];
  /** Null follows the system. */
  languageOf: (choice: string | null) => string;
  /** Everything that is evaluated afterwards is in this language, so the screens must be loaded after it. */
  start: (choice: string | null) => Promise<string>;
}

/**
 * `loads` is the result of a glob: functions that load a catalogue, by the path of a file that is named after its
 * language.
 */
export function createInterfaceLanguages(
  loads: Readonly<Record<string, () => Promise<Catalogue>>>,
): InterfaceLanguages {
  const loadByLanguage = new Map(
    Object.entries(loads).map(([path, load]) => [/([^/]+)\.json$/.exec(path)?.[1] ?? path, load]),
  );
  const languages = [SOURCE_LANGUAGE, ...loadByLanguage.keys()];
  const languageOf = (choice: string | null): string => {
    const wanted = choice === null ? navigator.languages : [choice];
    return wanted[0] === PSEUDO_LANGUAGE ? PSEUDO_LANGUAGE : chooseLanguage(wanted, languages);
  };
  return {
    languages,
    languageOf,
    async start(choice) {
      const language = languageOf(choice);
      const catalogue = language === PSEUDO_LANGUAGE ? PSEUDO_CATALOGUE : await loadByLanguage.get(language)?.();
      if (catalogue !== undefined) activateLanguage(language, catalogue);
      document.documentElement.lang = language;
      document.documentElement.dir = directionOf(language);
      return language;
    },
  };
}
