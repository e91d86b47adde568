/** The arrangement of the two voices of a practice on its cover, by category. */
import { type Beat, beatsOf } from './beats.ts';

export const WIDTH = 640;
export const HEIGHT = 400;

type Point = readonly [number, number];
type Curve = (u: number) => Point;
export type Voice = 'coach' | 'learner';

export type Shape =
  | { voice: Voice; circle: readonly [x: number, y: number, radius: number] }
  | { voice: Voice; path: string; step: number }
  | { voice: Voice; curve: Curve; step: number; tall: number; side?: number; wide?: number; floor?: number };

type Composition = (rows: number, random: () => number, said: Record<Voice, readonly string[]>) => Shape[];

const line =
  (x0: number, y0: number, x1: number, y1: number): Curve =>
  (u) => [x0 + (x1 - x0) * u, y0 + (y1 - y0) * u];

const arc =
  (cx: number, cy: number, radius: number, from: number, to: number): Curve =>
  (u) => [cx + radius * Math.cos(from + (to - from) * u), cy + radius * Math.sin(from + (to - from) * u)];

const bezier =
  (a: Point, b: Point, c: Point, d: Point): Curve =>
  (u) => {
    const v = 1 - u;
    const [ka, kb, kc, kd] = [v * v * v, 3 * v * v * u, 3 * v * u * u, u * u * u];
    return [ka * a[0] + kb * b[0] + kc * c[0] + kd * d[0], ka * a[1] + kb * b[1] + kc * c[1] + kd * d[1]];
  };

/** `share` runs from 0 to 1 over the rows. */
const rowsOf = <Item>(count: number, make: (index: number, share: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index, count === 1 ? 0.5 : index / (count - 1)));

export const round = (value: number): number => Math.round(value * 10) / 10;

const meetings: Composition = (count, random) => {
  const turn = random() * 6.28;
  const seat = (index: number): Shape => ({
    voice: index % 3 === 1 ? 'learner' : 'coach',
    curve: arc(WIDTH / 2, HEIGHT / 2, 118, turn + (index * 6.283) / count, turn + ((index + 1) * 6.283) / count - 0.12),
    step: 19,
    tall: 64,
    side: -0.6,
    wide: 0.6,
    floor: 0.2,
  });
  return [...rowsOf(count, seat), { voice: 'learner', circle: [WIDTH / 2, HEIGHT / 2, 58] }];
};

const COMPOSITIONS: Readonly<Record<string, Composition>> = {
  Meetings: meetings,
  // Two sides approach each other and overlap in the middle.
  Clients: (count, random) =>
    rowsOf(count, (index, share) => {
      const y = 62 + share * 276;
      const step = 640 / (20 + count * 2);
      const reach = 0.54 + random() * 0.24;
      return index % 2 === 0
        ? { voice: 'coach', curve: line(-6, y, WIDTH * reach, y), step, tall: 230 / count }
        : { voice: 'learner', curve: line(WIDTH * (1 - reach), y, WIDTH + 6, y), step, tall: 230 / count };
    }),
  // Far apart on the left, settled on the right.
  Negotiation: (count) =>
    rowsOf(count, (index) => {
      const isTop = index % 2 === 0;
      const pair = Math.floor(index / 2);
      const start = isTop ? 18 + pair * 46 : HEIGHT - 18 - pair * 46;
      const end = HEIGHT / 2 + (isTop ? -15 : 15);
      const curve = bezier([-10, start], [WIDTH * 0.34, start], [WIDTH * 0.5, end], [WIDTH * (0.96 - pair * 0.2), end]);
      return { voice: isTop ? 'coach' : 'learner', curve, step: 19, tall: 21 };
    }),
  // A line that breaks up and comes back.
  'Phone calls': (count, random) =>
    rowsOf(count, (index, share): Shape[] => {
      const y = 52 + share * 296;
      const cut = WIDTH * (0.24 + random() * 0.14);
      const back = cut + WIDTH * (0.2 + random() * 0.12);
      const shifted = y + (index % 2 === 1 ? -13 : 13);
      return [
        { voice: 'coach', curve: line(-4, y, cut, y), step: 19, tall: 220 / count },
        { voice: 'learner', curve: line(cut + 16, shifted, back, shifted), step: 19, tall: 110 / count },
        { voice: 'coach', curve: line(back + 16, y, WIDTH + 4, y), step: 19, tall: 220 / count },
      ];
    }).flat(),
  // One voice reaches many.
  Presentations: (count) => [
    ...rowsOf(count, (index, share): Shape => ({
      voice: index % 3 === 2 ? 'learner' : 'coach',
      curve: arc(WIDTH * 0.12, HEIGHT * 0.56, 108 + share * 430, -1.15, 1),
      step: 13 + share * 7,
      tall: 10 + (150 / count) * (0.4 + share * 0.4),
    })),
    { voice: 'learner', circle: [WIDTH * 0.12, HEIGHT * 0.56, 46] },
  ],
  // Back and forth, loosely.
  'Small talk': (count, random) =>
    rowsOf(count, (index, share) => {
      const y = 92 + share * 216;
      const phase = random() * 2 + index * 1.5;
      const curve: Curve = (u) => [-10 + (WIDTH + 20) * u, y + Math.sin(u * 7.2 + phase) * 44];
      return { voice: index % 2 === 0 ? 'coach' : 'learner', curve, step: 25, tall: 165 / count };
    }),
  // A road over a horizon.
  Travel: (count, random) => [
    { voice: 'learner', circle: [WIDTH * (0.6 + random() * 0.16), HEIGHT * 0.42, 86] },
    ...rowsOf(count, (_, share): Shape => ({
      voice: 'coach',
      curve: bezier(
        [-10, 250 + share * 110],
        [WIDTH * 0.3, 168 + share * 150],
        [WIDTH * 0.6, 330 + share * 30],
        [WIDTH + 10, 236 + share * 124],
      ),
      step: 18 + share * 5,
      tall: 22 + share * 26,
    })),
  ],
  // Two voices fill one height together.
  Teamwork: (count, random, said) => {
    const step = count > 4 ? 27 : 36;
    const beats: Beat[] = [...said.coach, ...said.learner].flatMap(beatsOf);
    const from = Math.floor(random() * 9);
    let upper = '';
    let lower = '';
    for (let index = 0, x = step * 0.75; x < WIDTH - step * 0.3; x += step, index++) {
      const loud = beats[(from + index) % Math.max(1, beats.length)]?.loud ?? 0.4;
      const y = HEIGHT * (0.36 + 0.3 * loud) + Math.sin(index / 3.2) * 34;
      upper += `M${round(x)} 34V${round(y - step * 0.42)}`;
      lower += `M${round(x)} ${round(y + step * 0.42)}V${HEIGHT - 34}`;
    }
    return [
      { voice: 'coach', path: upper, step },
      { voice: 'learner', path: lower, step },
    ];
  },
  // A question, and an answer that opens from it.
  Interviews: (count) =>
    rowsOf(count, (index) =>
      index % 2 === 0
        ? {
            voice: 'learner',
            curve: arc(WIDTH * 0.7, HEIGHT * 1.02, 96 + (index / 2) * 92, 3.1, 6.4),
            step: 20,
            tall: 37,
          }
        : {
            voice: 'coach',
            curve: arc(WIDTH * 0.2, -6, 92 + ((index - 1) / 2) * 92, 3.2, -0.1),
            step: 20,
            tall: 37,
          },
    ),
};

/** A category that a school has created gets the composition of Meetings. */
export const compositionOf = (category: string): Composition => COMPOSITIONS[category] ?? meetings;

/** Places sentences along a curve, with one round-ended bar per syllable, perpendicular to the curve. */
export function drawRow(
  { curve, step, tall, side = 0, floor = 0 }: Extract<Shape, { curve: Curve }>,
  voice: readonly string[],
  from: number,
): string {
  const lengthsByPart: [length: number, u: number][] = [[0, 0]];
  let length = 0;
  let last = curve(0);
  for (let part = 1; part <= 120; part++) {
    const point = curve(part / 120);
    length += Math.hypot(point[0] - last[0], point[1] - last[1]);
    lengthsByPart.push([length, part / 120]);
    last = point;
  }
  const placeAt = (distance: number): number => {
    const found = lengthsByPart.findIndex(([reached]) => reached >= distance);
    const index = Math.min(120, Math.max(1, found));
    const [l0, u0] = lengthsByPart[index - 1] ?? [0, 0];
    const [l1, u1] = lengthsByPart[index] ?? [1, 1];
    return u0 + ((u1 - u0) * (distance - l0)) / (l1 - l0 || 1);
  };
  let distance = step / 2;
  let sentence = from;
  let path = '';
  while (distance < length) {
    for (const beat of beatsOf(voice[sentence % voice.length] ?? '')) {
      if (distance >= length - step / 3) break;
      const u = placeAt(distance);
      const [x0, y0] = curve(Math.max(0, u - 0.004));
      const [x1, y1] = curve(Math.min(1, u + 0.004));
      const norm = Math.hypot(x1 - x0, y1 - y0) || 1;
      const [nx, ny] = [-(y1 - y0) / norm, (x1 - x0) / norm];
      const half = Math.max(beat.loud, floor) * tall;
      const middle = side * half;
      const [x, y] = curve(u);
      path += `M${round(x + nx * (middle - half))} ${round(y + ny * (middle - half))}`;
      path += `L${round(x + nx * (middle + half))} ${round(y + ny * (middle + half) + 0.1)}`;
      distance += step;
    }
    distance += step * 1.1;
    sentence++;
  }
  return path;
}
