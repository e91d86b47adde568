import { activateLanguage, SOURCE_LANGUAGE } from '@parley/i18n';
import { afterEach, expect, it } from 'vitest';
import { decodeText } from './decode-text.ts';

afterEach(() => activateLanguage(SOURCE_LANGUAGE, {}));

const bytesOf = (...bytes: number[]): ArrayBuffer => new Uint8Array(bytes).buffer;

it('reads UTF-8, with a mark and without', () => {
  expect(decodeText(new TextEncoder().encode('Jürgen, سارة').buffer)).toBe('Jürgen, سارة');
  expect(decodeText(bytesOf(0xef, 0xbb, 0xbf, 0xc3, 0xbc))).toBe('ü');
});

it('reads the Unicode text of Excel', () => {
  expect(decodeText(bytesOf(0xff, 0xfe, 0xfc, 0x00, 0x33, 0x06))).toBe('üس');
});

it.each([
  ['de', [0x4a, 0xfc, 0x72, 0x67, 0x65, 0x6e], 'Jürgen'],
  ['ar', [0xd3, 0xc7, 0xd1, 0xc9], 'سارة'],
  ['ja', [0x93, 0x63, 0x92, 0x86], '田中'],
  ['zh-Hans', [0xcd, 0xf5], '王'],
])('reads a CSV file that Excel has saved on Windows in %s', (language, bytes, text) => {
  activateLanguage(language, {});
  expect(decodeText(bytesOf(...bytes))).toBe(text);
});
