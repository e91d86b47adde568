import { expect, it } from 'vitest';
import { hasNestedRepetition } from './nested-repetition.ts';

it.each([
  String.raw`(a+)+$`,
  String.raw`^(\w+\s?)*!`,
  String.raw`((yes|no) *)+please`,
  String.raw`(?:(?:[a-z]{2,})){1,30}x`,
  String.raw`(a\)*b)*`,
  String.raw`(?<word>\w*)+`,
])('finds the repetition inside another one in %s', (pattern) => {
  expect(hasNestedRepetition(pattern)).toBe(true);
});

it.each([
  String.raw`\d|(and |so |but )*(how|what)\b.*(number|digit)`,
  String.raw`^\W*\w+(\W+\w+)?\W*$`,
  String.raw`\w{2,}ed\b|(.{0,12})`,
  String.raw`[(+*]+\(a+\)+`,
  String.raw`(a+){1,3}`,
  ')+(',
])('finds none in %s', (pattern) => {
  expect(hasNestedRepetition(pattern)).toBe(false);
});
