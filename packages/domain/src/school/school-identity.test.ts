import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brandColours } from './school-identity.ts';

const [LIGHT_PAGE, DARK_PAGE] = ['#fbfaf7', '#16181c'];
const aColour = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

/** An independent implementation of WCAG 2.2's formulas, so that a mistake in one shows in the other. */
function contrastOf(one: string, other: string): number {
  const [first = 0, second = 0] = [one, other].map((colour) => {
    const value = Number.parseInt(colour.slice(1), 16);
    const linear = (channel: number): number => {
      const share = channel / 255;
      return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
    };
    return (
      0.2126 * linear((value >> 16) & 255) + 0.7152 * linear((value >> 8) & 255) + 0.0722 * linear(value & 255) + 0.05
    );
  });
  return Math.max(first, second) / Math.min(first, second);
}

it('computes the known contrast of grey #777777 on white', () => {
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

describe('the colour of a school', () => {
  it('is readable on the page in both themes, whatever the admin chooses', () => {
    fc.assert(
      fc.property(aColour, (chosen) => {
        const { light, dark } = brandColours(chosen);
        expect(contrastOf(light, LIGHT_PAGE)).toBeGreaterThanOrEqual(4.5);
        expect(contrastOf(dark, DARK_PAGE)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  it('stays as chosen where it can be read', () => {
    expect(brandColours('#2f49c9').light).toBe('#2f49c9');
    expect(brandColours('#8ea1f6').dark).toBe('#8ea1f6');
  });

  it.each(['#ffff00', '#ffffff', '#f5c6d0'])('is darkened by as little as needed on the light page: %s', (chosen) => {
    const { light } = brandColours(chosen);
    expect(contrastOf(light, LIGHT_PAGE)).toBeLessThan(4.65);
  });

  it.each(['#000000', '#1d2b53', '#5a0d0d'])('is lightened by as little as needed on the dark page: %s', (chosen) => {
    expect(contrastOf(brandColours(chosen).dark, DARK_PAGE)).toBeLessThan(4.65);
  });
});
