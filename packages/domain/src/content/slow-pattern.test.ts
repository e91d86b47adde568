import { expect, it } from 'vitest';
import { isSlowPattern } from './slow-pattern.ts';

it.each([
  String.raw`(a+)+$`,
  String.raw`(a*)*`,
  String.raw`(a|a)*b`,
  String.raw`(a|b|ab)*c`,
  String.raw`(\w|\d)+!`,
  String.raw`(.|é)*!`,
  String.raw`^(\w+\s?)*!`,
  String.raw`(\w+,? ?){4,}!`,
  String.raw`(x?x?y)*z`,
  String.raw`(\w{2,5})*!`,
  String.raw`((yes|no)? *)+please`,
  String.raw`(?:(?:[a-z]{2,})){1,30}x`,
  String.raw`(a+){4}x`,
  String.raw`(\)*b?)*`,
  String.raw`(?<word>\w*)+`,
  String.raw`(?=(\p{L}+)+!)x`,
  String.raw`(?:(?=(a+)+b)c)*`,
  String.raw`(ж+)+`,
])('finds a repetition that can read the same words in several ways in %s', (pattern) => {
  expect(isSlowPattern(pattern)).toBe(true);
});

it.each([
  '.*.*.*x',
  '^.*(very )?.*.*x',
  String.raw`.*\w+.*x.*`,
  '.*e.*e.*e.*x',
  '.* .* .* .*x',
  '(no|.*.*)[^.]*x',
  '.*.* please .*.*x',
  '(.*,?){3}x',
  '(?=.*.*.*x)',
  '.{0,200}.{0,200}.{0,200}x',
])('finds repetitions that divide the words among themselves in very many ways in %s', (pattern) => {
  expect(isSlowPattern(pattern)).toBe(true);
});

it.each([
  '(.?){50}.{50}x',
  String.raw`(\w? ?){30}x`,
  `${'.?'.repeat(30)}x`,
  `${'(.|\\w)'.repeat(30)}x`,
  '(.{0,2}){20}x',
  '(.|){40}x',
  '((x|.)?){40}!',
  `${'.{0,29}'.repeat(5)}x`,
  '(.{1,2}){20}x',
])('finds short repetitions that divide the words among themselves in very many ways in %s', (pattern) => {
  expect(isSlowPattern(pattern)).toBe(true);
});

it.each([
  String.raw`\d|(and |so |but )*(how|what)\b.*(number|digit)`,
  String.raw`^\W*\w+(\W+\w+)?\W*$`,
  String.raw`\w{2,}ed\b|(.{0,12})`,
  String.raw`[(+*]+\(a+\)+`,
  String.raw`(a+){1,3}`,
  String.raw`(\w+\s+){2,}\w+`,
  String.raw`^(\w+\W+){0,12}please`,
  String.raw`((yes|no) +)+please`,
  String.raw`(no |no thank you |not )*(sorry|thanks)`,
  String.raw`(a\)*b)*`,
  String.raw`(\d{2}:\d{2},? )+`,
  String.raw`(?:\p{L}+[-' ])*\p{L}+`,
  ')+(',
  '.*hello.*',
  '.*(could|can).*you.*please.*send.*me.*now.*',
  String.raw`^\W*\w+\W+\w+\W+\w+\W*$`,
  String.raw`\d+[:.]\d+ ?- ?\d+[:.]\d+`,
  '.* .* .*x',
  '(one.*two|.*three|four.*five.*)',
  '(?=.*please)(?=.*could).*send',
  '.{0,12}.{0,12}.{0,12}x',
  '.{0,20}please.{0,20}send.{0,20}now.{0,20}',
  String.raw`(\d{1,2}[:.]\d{2} ?(am|pm)? ?(to|-)? ?){2}`,
  String.raw`(\w+ ){0,6}(very |really |so )*(sorry|afraid)( \w+){0,6}`,
])('finds none in %s', (pattern) => {
  expect(isSlowPattern(pattern)).toBe(false);
});

it.each([
  `(${'a?'.repeat(900)})*`,
  `${'('.repeat(600)}a${')+'.repeat(600)}`,
  '(a|b)*'.repeat(300),
  `${'('.repeat(600)}a${'){2}'.repeat(600)}`,
])('judges a long pattern quickly', (pattern) => {
  const startedAt = process.cpuUsage();
  isSlowPattern(pattern);
  expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(1_000);
});
