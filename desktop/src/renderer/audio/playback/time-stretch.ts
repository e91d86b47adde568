/**
 * Changes the speed of streamed speech without changing its pitch, by WSOLA (Verhelst and Roelands, 1993): short
 * windows of the sound are overlapped at a different distance, each taken from the position that best continues the
 * previous one.
 */

export interface TimeStretcher {
  /** Returns the output that is ready so far. */
  process: (pcm: Int16Array) => Int16Array<ArrayBuffer>;
  flush: () => Int16Array<ArrayBuffer>;
}

/** At 24 kHz: half of a 30 ms window, and the search range, which covers two periods of a low voice. */
const HALF_WINDOW_SAMPLES = 360;
const SEARCH_SAMPLES = 320;
/** Neighbouring offsets sound alike, so every second offset is compared at every third sample. */
const SHIFT_STEP = 2;
const SAMPLE_STEP = 3;

/** The rising half of a Hann window; overlapping halves sum to 1. */
const FADE_IN = Float32Array.from(
  { length: HALF_WINDOW_SAMPLES },
  (_, at) => 0.5 - 0.5 * Math.cos((Math.PI * (at + 0.5)) / HALF_WINDOW_SAMPLES),
);

/** `rate` multiplies the tempo; the pitch stays. */
export function createTimeStretcher(rate: number): TimeStretcher {
  if (rate === 1) return { process: (pcm) => new Int16Array(pcm), flush: () => new Int16Array(0) };
  let buffer = new Int16Array(0);
  /** The position of the first buffered sample. */
  let bufferStart = 0;
  let windowCount = 0;
  let lastWindowStart = -HALF_WINDOW_SAMPLES;
  const sampleAt = (at: number): number => buffer[at - bufferStart] ?? 0;

  /** Finds the position near the expected one that best continues the last window. */
  function findBestOverlap(expectedStart: number): number {
    const wanted = lastWindowStart + HALF_WINDOW_SAMPLES;
    let best = { at: Math.max(0, expectedStart), likeness: -Infinity };
    for (let at = Math.max(0, expectedStart - SEARCH_SAMPLES); at <= expectedStart + SEARCH_SAMPLES; at += SHIFT_STEP) {
      let product = 0;
      let energy = 1;
      for (let sample = 0; sample < HALF_WINDOW_SAMPLES; sample += SAMPLE_STEP) {
        const tried = sampleAt(at + sample);
        product += tried * sampleAt(wanted + sample);
        energy += tried * tried;
      }
      const likeness = product / Math.sqrt(energy);
      if (likeness > best.likeness) best = { at, likeness };
    }
    return best.at;
  }

  function appendNextWindow(out: number[]): void {
    const at = windowCount === 0 ? 0 : findBestOverlap(Math.round(windowCount * HALF_WINDOW_SAMPLES * rate));
    for (let sample = 0; sample < HALF_WINDOW_SAMPLES; sample += 1) {
      const rising = FADE_IN[sample] ?? 0;
      const falling =
        windowCount === 0 ? sampleAt(at + sample) : sampleAt(lastWindowStart + HALF_WINDOW_SAMPLES + sample);
      out.push(Math.round(sampleAt(at + sample) * rising + falling * (1 - rising)));
    }
    lastWindowStart = at;
    windowCount += 1;
    const needed = Math.max(
      bufferStart,
      Math.min(lastWindowStart, Math.round(windowCount * HALF_WINDOW_SAMPLES * rate) - SEARCH_SAMPLES),
    );
    buffer = buffer.slice(needed - bufferStart);
    bufferStart = needed;
  }

  function appendWindowsWhile(hasMore: (wantedAt: number, end: number) => boolean): Int16Array<ArrayBuffer> {
    const out: number[] = [];
    while (hasMore(Math.round(windowCount * HALF_WINDOW_SAMPLES * rate), bufferStart + buffer.length))
      appendNextWindow(out);
    return Int16Array.from(out);
  }

  return {
    process: (pcm) => {
      const joined = new Int16Array(buffer.length + pcm.length);
      joined.set(buffer);
      joined.set(pcm, buffer.length);
      buffer = joined;
      return appendWindowsWhile(
        (wantedAt, end) =>
          Math.max(wantedAt + SEARCH_SAMPLES, lastWindowStart + HALF_WINDOW_SAMPLES) + HALF_WINDOW_SAMPLES <= end,
      );
    },
    flush: () => appendWindowsWhile((wantedAt, end) => wantedAt < end),
  };
}
