import { expect, it } from 'vitest';
import {
  activateLanguage,
  chooseLanguage,
  createLocalizer,
  csvSeparator,
  directionOf,
  ownNameOf,
  PSEUDO_CATALOGUE,
  PSEUDO_LANGUAGE,
  pseudoTranslate,
  SOURCE_LANGUAGE,
  t,
} from './index.ts';

const AVAILABLE = ['en', 'ar', 'de', 'es', 'ja', 'pt-BR', 'zh-Hans'];

it.each([
  [['de-CH', 'en'], 'de'],
  [['pt-PT'], 'pt-BR'],
  [['zh-CN'], 'zh-Hans'],
  // Traditional characters are not simplified ones, so the next preference counts.
  [['zh-TW', 'ja'], 'ja'],
  [['fr', 'es-MX'], 'es'],
  [['en-GB', 'de'], 'en'],
  [['not a tag'], 'en'],
])('speaks to someone who reads %j in %s', (wanted, language) => {
  expect(chooseLanguage(wanted, AVAILABLE)).toBe(language);
});

it('names a language as its speakers do, and knows the direction of its script', () => {
  expect([ownNameOf('de'), ownNameOf('ja')]).toEqual(['Deutsch', '日本語']);
  expect([directionOf('ar'), directionOf('de')]).toEqual(['rtl', 'ltr']);
});

it('counts as the language does, and falls back to English', () => {
  const { t } = createLocalizer('ar', {
    '{count, plural, one {# word} other {# words}}':
      '{count, plural, one {كلمة} two {كلمتان} few {# كلمات} other {# كلمة}}',
  });
  expect(t('{count, plural, one {# word} other {# words}}', { count: 2 })).toBe('كلمتان');
  expect(t('Not translated, {name}.', { name: 'Lucas' })).toBe('Not translated, Lucas.');
});

it.each([
  ['en', '5 March 2026', '1,500'],
  ['de', '5. März 2026', '1.500'],
  ['zh-Hans', '2026年3月5日', '1,500'],
])('formats dates and numbers as readers of %s expect', (language, day, number) => {
  const { formatDay, formatNumber } = createLocalizer(language, {});
  expect([formatDay(new Date('2026-03-05T10:00:00Z'), 'UTC'), formatNumber(1_500)]).toEqual([day, number]);
});

it('lengthens a message by 80 % in the pseudo language, and keeps its placeholders', () => {
  const pseudo = pseudoTranslate('Hello, {name}. Press <0>Space</0>.');
  expect(pseudo).toContain('{name}');
  expect(pseudo).toContain('<0>');
  expect(pseudo.length).toBeGreaterThan('Hello, {name}. Press <0>Space</0>.'.length * 1.5);
});

it('lengthens every case of a plural in the pseudo language', () => {
  const message = 'Done: {count, plural, one {# word of {name}.} other {# words of {name}.}} Well said.';
  const { t } = createLocalizer(PSEUDO_LANGUAGE, { [message]: pseudoTranslate(message) });
  const pseudo = t(message, { count: 2, name: 'Ana' });
  expect(pseudo).toMatch(/^\[Döñé: ~+2 wördš öf Ana\.[~ ]+ Wéll šáíd\.[~ ]+\]$/);
  expect(pseudo.length).toBeGreaterThan('Done: 2 words of Ana. Well said.'.length * 1.5);
});

it('shows every message in the pseudo language', () => {
  activateLanguage(PSEUDO_LANGUAGE, PSEUDO_CATALOGUE);
  expect(t('Hello, {name}.', { name: 'Ana' })).toBe('[Héllö, Ana.~~~~~~~]');
  activateLanguage(SOURCE_LANGUAGE, {});
});

it.each([
  ['en', ','],
  ['ja', ','],
  ['de', ';'],
  ['pt-BR', ';'],
])('separates the cells of a CSV file as Excel expects it in %s', (language, separator) => {
  activateLanguage(language, {});
  expect(csvSeparator()).toBe(separator);
  activateLanguage(SOURCE_LANGUAGE, {});
});
