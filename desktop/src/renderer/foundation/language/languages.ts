/** The languages of the interface; a catalogue file that is added to the folder is a language. */
import type { Catalogue } from '@parley/i18n';
import { createInterfaceLanguages } from '@parley/ui/languages';

export const {
  languages: LANGUAGES,
  languageOf,
  start: startLanguage,
} = createInterfaceLanguages(
  import.meta.glob<Catalogue>('../../../../../packages/i18n/src/locales/*.json', { import: 'default' }),
);
