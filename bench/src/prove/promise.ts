/** A product promise that can be measured: the claim, its target, and a function that returns the figure. */

export interface Outcome {
  /** The figure of this run, with its unit. */
  figure: string;
  /** Null when it could not be measured here; the figure then says why. */
  holds: boolean | null;
}

export interface ProductPromise {
  claim: string;
  bar: string;
  measure: () => Promise<Outcome>;
}

/** Holds when the value is at least `bar`. */
export const atLeast = (value: number, bar: number, unit = ''): Outcome => ({
  figure: `${formatFigure(value)}${unit}`,
  holds: value >= bar,
});

/** Holds when the value is at most `bar`. */
export const atMost = (value: number, bar: number, unit = ''): Outcome => ({
  figure: `${formatFigure(value)}${unit}`,
  holds: value <= bar,
});

export const notMeasured = (reason: string): Outcome => ({ figure: `not measured: ${reason}`, holds: null });

export function formatFigure(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
