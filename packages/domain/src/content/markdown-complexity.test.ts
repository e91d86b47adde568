import { describe, expect, it } from 'vitest';
import { isMarkdownTooComplex } from './markdown-complexity.ts';

describe('Markdown', () => {
  it.each([
    ['quotes', '>'.repeat(21)],
    ['quotes after a text', `A text.\n\n${'> '.repeat(21)}a`],
    ['lists', `${'- '.repeat(21)}a`],
    ['numbered lists', `${'1. '.repeat(21)}a`],
    ['quotes of lists', `${'> - '.repeat(11)}a`],
    ['unfinished emphasis in one paragraph', '*a\n**b '.repeat(501)],
    ['emphasis in many paragraphs', '*a '.repeat(500).concat('\n\n').repeat(21)],
    ['parts of an address', `${'a.'.repeat(1_001)}@`],
  ])('is too complex with many %s', (_what, text) => {
    expect(isMarkdownTooComplex(text)).toBe(true);
  });

  it.each([
    ['a quote in a list in a quote', '> - > A sentence.\n> - > Another.'],
    ['a list of many words', '- **negotiate**: to talk until you agree\n'.repeat(300)],
    [
      'a long text',
      'A sentence of a *long* text with an [address](https://parley.example/blog/a-post).\n\n'.repeat(1_000),
    ],
    ['a line across the page', `${'-'.repeat(200)}\n\n${'* '.repeat(15)}`],
    ['a paragraph without spaces', '学习英语。'.repeat(1_000)],
    ['a wide table', `|${' a |'.repeat(30)}\n|${' - |'.repeat(30)}\n|${' **b** |'.repeat(30)}`],
  ])('is not too complex with %s', (_what, text) => {
    expect(isMarkdownTooComplex(text)).toBe(false);
  });

  it('is judged quickly, whatever it contains', () => {
    const texts = ['>', '- ', '1', '1. ', '*a **b ', ' ', '\n', '\n ', 'a.', '~a~', `${'x'.repeat(1_999)} `].map(
      (part) => part.repeat(400_000 / part.length),
    );
    const startedAt = process.cpuUsage();
    for (const text of texts) isMarkdownTooComplex(text);
    expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(2_000);
  });
});
