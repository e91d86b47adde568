/**
 * Speech faster or slower at its own pitch, while it comes: WSOLA (Verhelst and Roelands, 1993). Short pieces of the sound are laid over each
 * other at another distance, each taken from where it fits best to what would have followed the one before.
 */

export interface Stretcher {
  /** What can be played of all that has come. */
  take: (pcm: Int16Array) => Int16Array<ArrayBuffer>;
  finish: () => Int16Array<ArrayBuffer>;
}

/** At 24 kHz: half of a piece of 30 ms, and how far from its place the next may be taken, two periods of a low voice. */
const HALF = 360;
const SEARCH = 320;
/** Neighbours sound alike: every other is tried, against every third sample. */
const SHIFT_STEP = 2;
const SAMPLE_STEP = 3;

/** A rising half of a Hann window; the falling half of the piece before adds up with it to 1. */
const RISING = Float32Array.from({ length: HALF }, (_, at) => 0.5 - 0.5 * Math.cos((Math.PI * (at + 0.5)) / HALF));

export function createStretcher(rate: number): Stretcher {
  if (rate === 1) return { take: (pcm) => new Int16Array(pcm), finish: () => new Int16Array(0) };
  let sound = new Int16Array(0);
  /** Of the first sample that is still held. */
  let heldFrom = 0;
  let pieceCount = 0;
  let lastAt = -HALF;
  const sampleAt = (at: number): number => sound[at - heldFrom] ?? 0;

  /** Where near `wished` the sound goes on most like behind the last piece. */
  function bestNear(wished: number): number {
    const wanted = lastAt + HALF;
    let best = { at: Math.max(0, wished), likeness: -Infinity };
    for (let at = Math.max(0, wished - SEARCH); at <= wished + SEARCH; at += SHIFT_STEP) {
      let product = 0;
      let energy = 1;
      for (let sample = 0; sample < HALF; sample += SAMPLE_STEP) {
        const tried = sampleAt(at + sample);
        product += tried * sampleAt(wanted + sample);
        energy += tried * tried;
      }
      const likeness = product / Math.sqrt(energy);
      if (likeness > best.likeness) best = { at, likeness };
    }
    return best.at;
  }

  function layNext(out: number[]): void {
    const at = pieceCount === 0 ? 0 : bestNear(Math.round(pieceCount * HALF * rate));
    for (let sample = 0; sample < HALF; sample += 1) {
      const rising = RISING[sample] ?? 0;
      const falling = pieceCount === 0 ? sampleAt(at + sample) : sampleAt(lastAt + HALF + sample);
      out.push(Math.round(sampleAt(at + sample) * rising + falling * (1 - rising)));
    }
    lastAt = at;
    pieceCount += 1;
    const needed = Math.max(heldFrom, Math.min(lastAt, Math.round(pieceCount * HALF * rate) - SEARCH));
    sound = sound.slice(needed - heldFrom);
    heldFrom = needed;
  }

  function layWhile(hasMore: (wishedAt: number, end: number) => boolean): Int16Array<ArrayBuffer> {
    const out: number[] = [];
    while (hasMore(Math.round(pieceCount * HALF * rate), heldFrom + sound.length)) layNext(out);
    return Int16Array.from(out);
  }

  return {
    take: (pcm) => {
      const joined = new Int16Array(sound.length + pcm.length);
      joined.set(sound);
      joined.set(pcm, sound.length);
      sound = joined;
      return layWhile((wishedAt, end) => Math.max(wishedAt + SEARCH, lastAt + HALF) + HALF <= end);
    },
    finish: () => layWhile((wishedAt, end) => wishedAt < end),
  };
}
