/** A promise of the product that can be run: what it says, the figure it reached, the bar it must clear. */

export interface Outcome {
  /** As measured in this run, with its unit. */
  figure: string;
  /** Null when it could not be measured here; the figure then says why. */
  holds: boolean | null;
}

export interface ProductPromise {
  says: string;
  bar: string;
  keep: () => Promise<Outcome>;
}

/** At least `bar`; higher is better. */
export const atLeast = (value: number, bar: number, unit = ''): Outcome => ({
  figure: `${formatFigure(value)}${unit}`,
  holds: value >= bar,
});

/** At most `bar`; lower is better. */
export const atMost = (value: number, bar: number, unit = ''): Outcome => ({
  figure: `${formatFigure(value)}${unit}`,
  holds: value <= bar,
});

export const notMeasured = (reason: string): Outcome => ({ figure: `not measured: ${reason}`, holds: null });

export function formatFigure(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
