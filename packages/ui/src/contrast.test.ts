/** The contrast of every pair of tokens that screens combine, in both themes (WCAG 2.2 AA). */
import { colourOfToken as hexOf } from '@parley/test-kit/theme-colours';
import { describe, expect, it } from 'vitest';

const channel = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

const luminance = (hex: string): number =>
  [1, 3, 5].reduce((sum, at, index) => {
    const weight = [0.2126, 0.7152, 0.0722][index] ?? 0;
    return sum + channel(Number.parseInt(hex.slice(at, at + 2), 16) / 255) * weight;
  }, 0);

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

const COACHES = ['grace', 'daniel', 'priya', 'tom', 'elena', 'marcus', 'amara', 'walter'];
const GROUNDS = ['page-bg', 'rail-bg', 'surface', 'sunken'];
const TEXTS = [
  'text',
  'text-2',
  'you-text',
  'clear',
  'nearly',
  'unclear',
  'danger',
  ...COACHES.map((name) => `voice-${name}`),
];
const ON_CALL = ['night-900', 'night-550', 'blue-300', 'brick-300', 'pine-300', 'ochre-300'];
const TEXT_PAIRS: readonly (readonly [string, string])[] = [
  ...TEXTS.flatMap((text) => GROUNDS.map((ground) => [text, ground] as const)),
  ...['you-soft', 'you-mid'].flatMap((ground) => ['text', 'text-2'].map((text) => [text, ground] as const)),
  ...['clear', 'nearly', 'unclear'].flatMap((grade) => [
    [grade, `${grade}-soft`] as const,
    ['text', `${grade}-soft`] as const,
  ]),
  ...COACHES.flatMap((name) => [...ON_CALL, `on-call-${name}`].map((text) => [text, `call-${name}`] as const)),
  ['you-text', 'you-soft'],
  ['page-bg', 'text'],
  ['on-you', 'you'],
  ['on-you', 'you-hover'],
  ['on-live', 'live'],
];
const EDGE_PAIRS = GROUNDS.flatMap((ground) =>
  ['line-strong', 'you', 'live', 'focus'].map((edge) => [edge, ground] as const),
);

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  it('text has a contrast of at least 4.5 : 1', () => {
    const low = TEXT_PAIRS.filter(([text, ground]) => contrast(hexOf(theme, text), hexOf(theme, ground)) < 4.5);
    expect(low).toEqual([]);
  });
  it('edges, waves and the focus have a contrast of at least 3 : 1', () => {
    const low = EDGE_PAIRS.filter(([edge, ground]) => contrast(hexOf(theme, edge), hexOf(theme, ground)) < 3);
    expect(low).toEqual([]);
  });
});
