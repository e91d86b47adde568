/**
 * Measures by loudness how long the learner has been speaking. The provider reports the start of speech, but its end
 * only much later; in the meantime, this distinguishes a short sound from a sentence.
 */

const SAMPLES_PER_MS = 24;
const FRAME_MS = 20;
const FRAME_SAMPLES = FRAME_MS * SAMPLES_PER_MS;
/** An amplitude of 16-bit samples; quieter sound is background noise. */
const MIN_LOUDNESS = 220;
/** Speech is louder than the background noise by this factor. */
const SPEECH_TO_NOISE = 3;
/** The noise level adapts quickly when the room grows quieter and slowly when it grows louder, because that may be speech. */
const ADAPT_DOWN = 0.3;
const ADAPT_UP = 0.0005;
/** Longest gap between two syllables; after a longer pause, new speech begins. */
const MAX_GAP_MS = 280;

/** Times are in milliseconds since the first sample. */
export interface VoicedSpan {
  startMs: number;
  /** End of its last loud frame. */
  endMs: number;
}

export class VoiceActivityMeter {
  #frame = new Int16Array(FRAME_SAMPLES);
  #filled = 0;
  #frames = 0;
  #noise = MIN_LOUDNESS / SPEECH_TO_NOISE;
  #span: VoicedSpan | null = null;
  #finishedMs = 0;

  /** Duration of all audio so far. */
  get totalMs(): number {
    return this.#frames * FRAME_MS + Math.floor(this.#filled / SAMPLES_PER_MS);
  }

  /** The current speech or the last one. */
  get currentSpan(): VoicedSpan | null {
    return this.#span;
  }

  /** Duration of all speech so far. */
  get voicedMs(): number {
    return this.#finishedMs + (this.#span === null ? 0 : this.#span.endMs - this.#span.startMs);
  }

  addAudio(pcm: Uint8Array): void {
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
    if (loudness > Math.max(MIN_LOUDNESS, this.#noise * SPEECH_TO_NOISE)) this.#markVoiced(startMs);
    this.#noise += (loudness - this.#noise) * (loudness < this.#noise ? ADAPT_DOWN : ADAPT_UP);
  }

  #markVoiced(startMs: number): void {
    const endMs = startMs + FRAME_MS;
    if (this.#span !== null && startMs - this.#span.endMs <= MAX_GAP_MS) {
      this.#span.endMs = endMs;
      return;
    }
    this.#finishedMs = this.voicedMs;
    this.#span = { startMs, endMs };
  }
}
