import { activateLanguage } from '@parley/i18n';
import german from '@parley/i18n/locales/de.json' with { type: 'json' };
import spanish from '@parley/i18n/locales/es.json' with { type: 'json' };
import { afterEach, expect, it } from 'vitest';
import { greeting } from './greeting.ts';

afterEach(() => activateLanguage('en', {}));

it.each([
  ['es', spanish, 'Miércoles, 13 de mayo. Buenos días, Ada.'],
  ['de', german, 'Mittwoch, 13. Mai. Guten Morgen, Ada.'],
])('begins with a capital letter in %s', (language, catalogue, sentence) => {
  activateLanguage(language, catalogue);
  expect(greeting(new Date(2026, 4, 13, 9), 'Ada')).toBe(sentence);
});
