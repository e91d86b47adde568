/** Reads the colours of the two themes from the tokens that every screen uses. */
import { readFileSync } from 'node:fs';

const css = readFileSync(new URL('../../ui/src/tokens.css', import.meta.url), 'utf8');

/** The custom properties of a piece of CSS, by name without dashes. */
export const customPropertiesOf = (block: string): Record<string, string> =>
  Object.fromEntries(
    [...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value.trim()]),
  );

const blockAfter = (marker: string): Record<string, string> => {
  const start = css.indexOf('{', css.indexOf(marker));
  return customPropertiesOf(css.slice(start, css.indexOf('\n}', start)));
};

const RAW = customPropertiesOf(css.slice(0, css.indexOf('tier 2: meaning, light')));
const THEMES = {
  light: blockAfter('tier 2: meaning, light'),
  dark: blockAfter('tier 2: meaning, dark'),
};

export type Theme = keyof typeof THEMES;

/** A token's colour as #rrggbb; throws if the token is not a colour. */
export function colourOfToken(theme: Theme, token: string): string {
  let value = `var(--${token})`;
  while (value.startsWith('var(')) {
    const name = value.slice(6, -1);
    value = THEMES[theme][name] ?? RAW[name] ?? '';
  }
  if (!/^#[0-9a-f]{6}$/.test(value)) throw new Error(`--${token} is not a colour in the ${theme} theme`);
  return value;
}
