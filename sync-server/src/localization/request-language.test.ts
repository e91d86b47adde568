import { expect, it } from 'vitest';
import { LANGUAGES, localizerFor, pageLanguage, wantedLanguage } from './index.ts';

it('speaks English and every language of the catalogues', () => {
  expect(LANGUAGES).toEqual(['en', 'ar', 'de', 'es', 'ja', 'pt-BR', 'zh-Hans']);
  expect(localizerFor('xx').language).toBe('en');
});

it.each([
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['fr;q=0.9, pt-PT;q=0.8', 'pt-BR'],
  ['en;q=0.5, ja', 'ja'],
  ['zh-CN,zh;q=0.9', 'zh-Hans'],
  ['en-US', 'en'],
  ['fr', null],
  ['*', null],
  ['de;q=0', null],
  ['', null],
  ['-;q=x,,;;', null],
  ['xx-'.repeat(1_000), null],
])('understands Accept-Language: %s', (header, language) => {
  expect(wantedLanguage({ headers: { 'accept-language': header } })).toBe(language);
});

it.each([
  [{ lang: 'ja' }, 'es', 'ja'],
  [{}, 'es', 'es'],
  [{}, null, 'de'],
  [{ lang: 'tlh' }, null, 'de'],
  [{ lang: ['ja', 'ar'] }, null, 'de'],
])('lets the address decide, then the account, then the browser: %j, %s', (query, stored, language) => {
  expect(pageLanguage({ query, headers: { 'accept-language': 'de' } }, stored)).toBe(language);
});
