import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The names of the custom properties that the first block with this selector sets. */
function namesIn(css: string, selector: string): Set<string> {
  const block = css.slice(css.indexOf(`${selector} {`));
  return new Set([...block.slice(0, block.indexOf('}')).matchAll(/^\s*(--[\w-]+):/gm)].map(([, name = '']) => name));
}

/** No call uses these, or `callColors` sets a replacement. */
const NOT_IN_A_CALL = /^--(rail-bg|voice-\w+|lift|live|on-live|you-soft|you-mid|clear-soft)$/;

it('has the dark colours in the light theme too, because a call is always dark', () => {
  const dark = namesIn(read('../../../../../packages/ui/src/tokens.css'), ":root[data-theme='dark']");
  expect(dark.size).toBeGreaterThan(20);
  const inCall = namesIn(read('./call.module.css'), '.call');
  expect([...dark].filter((name) => !NOT_IN_A_CALL.test(name) && !inCall.has(name))).toEqual([]);
});

it('keeps the colours that the system forces', () => {
  const css = read('./call.module.css');
  const forced = namesIn(css.slice(css.indexOf('@media (forced-colors: active)')), '.call');
  expect([...namesIn(css, '.call')].filter((name) => name !== '--face' && !forced.has(name))).toEqual([]);
});
