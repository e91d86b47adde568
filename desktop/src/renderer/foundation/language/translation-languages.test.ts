import { expect, it } from 'vitest';
import { TRANSLATION_LANGUAGES, translationTag } from './translation-languages.ts';

it('gives each language a tag of its own that names it', () => {
  expect(new Set(TRANSLATION_LANGUAGES.map(({ tag }) => tag)).size).toBe(TRANSLATION_LANGUAGES.length);
  const english = new Intl.DisplayNames(['en'], { type: 'language' });
  for (const { name, tag } of TRANSLATION_LANGUAGES)
    expect(english.of(tag)).toBe(name === 'Bahasa Indonesia' ? 'Indonesian' : name);
  expect(translationTag('Klingon')).toBeUndefined();
});
