/** Draws the cover of a practice from its own words: a bar is a stressed syllable, a dot an unstressed one, a gap a pause. */
import { randomFrom, seedOf } from './beats.ts';
import { compositionOf, drawRow, HEIGHT, round, type Voice, WIDTH } from './compositions.ts';

export interface CoverSource {
  title: string;
  category: string;
  level: 'beginner' | 'intermediate' | 'advanced';
  /** The texts of the two voices. A voice without lines says the title. */
  said?: Partial<Record<Voice, readonly string[]>>;
}

type Inks = readonly [ground: string, coach: string, learner: string];

const ROWS_BY_LEVEL = { beginner: 3, intermediate: 5, advanced: 7 } as const;

const MEETINGS_PALETTE: Record<'light' | 'dark', Inks> = {
  light: ['#dde4ef', '#2f49c9', '#e7b13f'],
  dark: ['#191d2c', '#6f84ec', '#c4922f'],
};
const PALETTES: Readonly<Record<string, Record<'light' | 'dark', Inks>>> = {
  Meetings: MEETINGS_PALETTE,
  Clients: { light: ['#e8e3d6', '#1f6a5c', '#e58b45'], dark: ['#1b2422', '#3f9c88', '#c9743a'] },
  Negotiation: { light: ['#efdccd', '#9c3a24', '#22476b'], dark: ['#251a17', '#d0674c', '#5b8cb8'] },
  'Phone calls': { light: ['#d8e5e3', '#0f5e66', '#dd6443'], dark: ['#142123', '#3a97a0', '#cf6042'] },
  Presentations: { light: ['#f2e2de', '#862f5f', '#f0a83f'], dark: ['#251820', '#bf6395', '#cf8f34'] },
  'Small talk': { light: ['#f4e6bd', '#d3632d', '#3b6d8e'], dark: ['#26210f', '#d9763f', '#5f97bb'] },
  Travel: { light: ['#d3e2ea', '#1d4f79', '#f0b04f'], dark: ['#142029', '#5594c4', '#cc9240'] },
  Teamwork: { light: ['#e4e7d2', '#5b6b1e', '#cb5640'], dark: ['#1d2012', '#97a94a', '#c75c47'] },
  Interviews: { light: ['#e6dff0', '#4f3b88', '#e68d6e'], dark: ['#1d1928', '#8f7bcf', '#cc7657'] },
  'Settling in': { light: ['#efe0d6', '#7a4a2a', '#3f7f8c'], dark: ['#231b16', '#b9835c', '#5aa0ad'] },
};

const channels = (hex: string): number[] => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

const mix = (a: string, b: string, share: number): string => {
  const other = channels(b);
  const mixed = channels(a).map((value, index) => Math.round(value * (1 - share) + (other[index] ?? 0) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
};

const luminance = (hex: string): number =>
  channels(hex)
    .map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, index) => sum + value * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0);

const contrast = (a: string, b: string): number => {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
};

/** Lightens the ink until it contrasts with its background. */
function lighten(ink: string, ground: string): string {
  let share = 0;
  while (share < 0.9 && contrast(mix(ink, '#ffffff', share), ground) < 2.4) share += 0.06;
  return mix(ink, '#ffffff', share);
}

/**
 * Half of the covers have the pale background and half have the coach's ink, so that neighbours in one category differ.
 */
function inksOf({ category, title }: CoverSource, theme: 'light' | 'dark'): { inks: Inks; blend: string } {
  const { light, dark } = PALETTES[category] ?? MEETINGS_PALETTE;
  const isOnInk = (seedOf(`${category}|${title}`) >>> 6) % 2 === 1;
  if (!isOnInk) return theme === 'light' ? { inks: light, blend: 'multiply' } : { inks: dark, blend: 'screen' };
  if (theme === 'light')
    return { inks: [light[1], mix(light[0], '#ffffff', 0.3), lighten(light[2], light[1])], blend: 'normal' };
  return { inks: [mix(light[1], '#101113', 0.5), mix(light[0], light[1], 0.12), dark[2]], blend: 'normal' };
}

export function drawCover(source: CoverSource, theme: 'light' | 'dark'): string {
  const { title, category, level } = source;
  const { inks, blend } = inksOf(source, theme);
  const [ground, coach, learner] = inks;
  const random = randomFrom(seedOf(`${title}|${category}|${level}`));
  const linesOf = (voice: Voice): readonly string[] => {
    const lines = source.said?.[voice] ?? [];
    return lines.length === 0 ? [title] : lines;
  };
  const said = { coach: linesOf('coach'), learner: linesOf('learner') };
  const style = `style="mix-blend-mode:${blend}"`;
  const shapes = compositionOf(category)(ROWS_BY_LEVEL[level], random, said).map((shape, index) => {
    const ink = shape.voice === 'coach' ? coach : learner;
    if ('circle' in shape) {
      const [x, y, radius] = shape.circle;
      return `<circle cx="${round(x)}" cy="${round(y)}" r="${radius}" fill="${ink}" ${style}/>`;
    }
    const wide = 'curve' in shape ? (shape.wide ?? 0.58) : 0.58;
    const path = 'path' in shape ? shape.path : drawRow(shape, said[shape.voice], index + Math.floor(random() * 3));
    return `<path stroke="${ink}" stroke-width="${round(shape.step * wide)}" ${style} d="${path}"/>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="xMidYMid slice">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${ground}"/>`,
    `<g fill="none" stroke-linecap="round" style="isolation:isolate">${shapes.join('')}</g></svg>`,
  ].join('');
}
