import { expect, it } from 'vitest';
import { ringPath } from './voice-ring.tsx';

const lengths = (part: number): number[] =>
  [...ringPath(part).matchAll(/M(\S+) (\S+?)L(\S+) (\S+?)(?=M|$)/g)].map(([, x1, y1, x2, y2]) =>
    Math.hypot(Number(x2) - Number(x1), Number(y2) - Number(y1)),
  );

it('draws uneven bars that grow with the voice', () => {
  const [silent, loud] = [lengths(0.06), lengths(1)];
  expect(silent).toHaveLength(72);
  expect(Math.max(...silent)).toBeLessThan(5);
  expect(loud.every((length, bar) => length > (silent[bar] ?? 0) * 5)).toBe(true);
  expect(Math.max(...loud) - Math.min(...loud)).toBeGreaterThan(20);
});
