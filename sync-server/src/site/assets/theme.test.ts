import { readFileSync } from 'node:fs';
import { colourOfToken, customPropertiesOf, type Theme } from '@parley/test-kit/theme-colours';
import { describe, expect, it } from 'vitest';
import { PAGE_STYLE } from '../../web/layout.ts';

const DARK = '@media (prefers-color-scheme: dark)';
const siteTheme = readFileSync(new URL('theme.css', import.meta.url), 'utf8');

const coloursIn = (css: string): [Theme, Record<string, string>][] => {
  const dark = css.indexOf(DARK);
  const end = css.indexOf('body {', dark);
  return [
    ['light', customPropertiesOf(css.slice(0, dark))],
    ['dark', customPropertiesOf(css.slice(dark, end === -1 ? css.length : end))],
  ];
};

const sixDigits = (colour: string): string => colour.replace(/^#(\w)(\w)(\w)$/, '#$1$1$2$2$3$3');

describe.each([
  ['the public site', siteTheme],
  ["the server's pages", PAGE_STYLE],
])('the colours of %s', (_name, css) => {
  it.each(coloursIn(css))('are those of the %s theme', (theme, colours) => {
    expect(Object.keys(colours).length).toBeGreaterThan(5);
    expect(Object.entries(colours).map(([name, colour]) => [name, sixDigits(colour)])).toEqual(
      Object.keys(colours).map((name) => [name, colourOfToken(theme, name)]),
    );
  });
});
