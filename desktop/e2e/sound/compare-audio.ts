/** Finds one recording inside another by the best normalised correlation over all offsets. */

/** Samples per millisecond at 16 kHz. */
const RATE = 16;
const COARSE_STEP = 8;

export interface Match {
  /** 1 means the same sound, 0 no relation. */
  correlation: number;
  /** The position in `whole` at which `part` begins. */
  offsetMs: number;
}

/** Both recordings are 16 kHz mono. */
export function findInside(whole: Float32Array, part: Float32Array): Match {
  const last = whole.length - part.length;
  let best: Match = { correlation: -1, offsetMs: 0 };
  const tryAt = (offset: number): void => {
    const correlation = correlationAt(whole, part, offset);
    if (correlation > best.correlation) best = { correlation, offsetMs: offset / RATE };
  };
  for (let offset = 0; offset <= last; offset += COARSE_STEP) tryAt(offset);
  const centre = Math.round(best.offsetMs * RATE);
  for (let offset = Math.max(0, centre - COARSE_STEP); offset <= Math.min(last, centre + COARSE_STEP); offset += 1)
    tryAt(offset);
  return best;
}

function correlationAt(whole: Float32Array, part: Float32Array, offset: number): number {
  let product = 0;
  let energyWhole = 0;
  let energyPart = 0;
  for (let index = 0; index < part.length; index += 1) {
    const a = whole[offset + index] ?? 0;
    const b = part[index] ?? 0;
    product += a * b;
    energyWhole += a * a;
    energyPart += b * b;
  }
  return product / Math.sqrt(energyWhole * energyPart + 1e-12);
}
