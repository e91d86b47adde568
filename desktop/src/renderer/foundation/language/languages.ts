/** The languages of the interface, one for each catalogue file in the folder. */
import type { Catalogue } from '@parley/i18n';
import { createInterfaceLanguages } from '@parley/ui/languages';

export const {
  languages: LANGUAGES,
  languageOf,
  start: startLanguage,
} = createInterfaceLanguages(
  import.meta.glob<Catalogue>('../../../../../packages/i18n/src/locales/*.json', { import: 'default' }),
);
