/**
 * How long somebody has been speaking, by the loudness of their sound. The provider says when speech begins, and only much later that it was
 * over; in between, this tells a short sound from a sentence.
 */

const SAMPLES_A_MS = 24;
const FRAME_MS = 20;
const FRAME_SAMPLES = FRAME_MS * SAMPLES_A_MS;
/** Of 16 bits: below it, it is a quiet room. */
const QUIET = 220;
/** Speech stands out from the room by as much. */
const OVER_NOISE = 3;
/** The room is learned quickly when it grows quieter, and slowly when it grows louder: that may be speech. */
const LEARN_DOWN = 0.3;
const LEARN_UP = 0.0005;
/** Between two syllables; a longer pause begins something new. */
const GAP_MS = 280;

/** In ms since the first sound. */
export interface Burst {
  startMs: number;
  /** Of its last loud frame. */
  endMs: number;
}

export class VoiceMeter {
  #frame = new Int16Array(FRAME_SAMPLES);
  #filled = 0;
  #frames = 0;
  #noise = QUIET / OVER_NOISE;
  #burst: Burst | null = null;
  #finishedMs = 0;

  /** All sound so far. */
  get totalMs(): number {
    return this.#frames * FRAME_MS + Math.floor(this.#filled / SAMPLES_A_MS);
  }

  /** The speech that goes on, or the last that did. */
  get burst(): Burst | null {
    return this.#burst;
  }

  /** All speech so far. */
  get voicedMs(): number {
    return this.#finishedMs + (this.#burst === null ? 0 : this.#burst.endMs - this.#burst.startMs);
  }

  take(pcm: Uint8Array): void {
    const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
    for (let at = 0; at + 1 < pcm.byteLength; at += 2) {
      this.#frame[this.#filled] = view.getInt16(at, true);
      this.#filled += 1;
      if (this.#filled === FRAME_SAMPLES) this.#measure();
    }
  }

  #measure(): void {
    let energy = 0;
    for (const sample of this.#frame) energy += sample * sample;
    const loudness = Math.sqrt(energy / FRAME_SAMPLES);
    const startMs = this.#frames * FRAME_MS;
    this.#filled = 0;
    this.#frames += 1;
    if (loudness > Math.max(QUIET, this.#noise * OVER_NOISE)) this.#voiced(startMs);
    this.#noise += (loudness - this.#noise) * (loudness < this.#noise ? LEARN_DOWN : LEARN_UP);
  }

  #voiced(startMs: number): void {
    const endMs = startMs + FRAME_MS;
    if (this.#burst !== null && startMs - this.#burst.endMs <= GAP_MS) {
      this.#burst.endMs = endMs;
      return;
    }
    this.#finishedMs = this.voicedMs;
    this.#burst = { startMs, endMs };
  }
}
