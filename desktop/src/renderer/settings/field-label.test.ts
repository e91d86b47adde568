import { activateLanguage, SOURCE_LANGUAGE } from '@parley/i18n';
import arabic from '@parley/i18n/locales/ar.json' with { type: 'json' };
import { afterEach, expect, it } from 'vitest';

// Other files are tested in the same process.
afterEach(() => activateLanguage(SOURCE_LANGUAGE, {}));

it('names the fields of the profile in the language of the screens', async () => {
  activateLanguage('ar', arabic);
  const { fieldLabel } = await import('./field-label.ts');
  const names = ['firstName', 'lastName', 'jobTitle', 'industry', 'englishLevel', 'emailNotifications'];
  expect(names.map(fieldLabel).filter((label) => /[a-z]/i.test(label))).toEqual([]);
});

it('makes words of a field that no screen shows', async () => {
  const { fieldLabel } = await import('./field-label.ts');
  expect(fieldLabel('entireConversation')).toBe('Entire conversation');
});
