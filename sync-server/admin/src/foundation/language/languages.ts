/** The languages of the panel, one for each catalogue file in the folder. The choice stays in this browser. */
import type { Catalogue } from '@parley/i18n';
import { createInterfaceLanguages } from '@parley/ui/languages';

/** The build adds to each catalogue the messages that the app's catalogue already translates. */
export const {
  languages: LANGUAGES,
  languageOf,
  start: startLanguage,
} = createInterfaceLanguages(import.meta.glob<Catalogue>('../../locales/*.json', { import: 'default' }));

const STORAGE_KEY = 'parley-admin-language';

/** Null follows the browser's language. */
export const readLanguageChoice = (): string | null => localStorage.getItem(STORAGE_KEY);

export function storeLanguageChoice(choice: string | null): void {
  if (choice === null) localStorage.removeItem(STORAGE_KEY);
  else localStorage.setItem(STORAGE_KEY, choice);
}
