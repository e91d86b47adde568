import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { WeekChart } from './week-chart.tsx';

const days = [14, 0, 9, 0.4, 0, 0, 0].map((minutes, index) => ({ day: `2026-11-${16 + index}`, minutes }));

it('draws a bar for a day with practice, a dot for one without, and says the minutes of each', () => {
  const html = renderToStaticMarkup(<WeekChart days={days} />);
  expect(html).toContain('title="Monday: 14 minutes"');
  expect(html).toContain('title="Tuesday: 0 minutes"');
  expect(html.split('data-none').length - 1).toBe(4);
  const heights = [...html.matchAll(/height:([\d.]+)px/g)].map(([, height]) => Number(height));
  expect(heights[0]).toBeGreaterThan(heights[2] ?? 0);
  expect(heights[2]).toBeGreaterThan(heights[3] ?? 0);
  expect(heights[3]).toBeGreaterThan(heights[1] ?? 0);
});
