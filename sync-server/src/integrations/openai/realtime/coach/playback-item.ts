/**
 * Tracks how much of a coach's utterance the learner has heard. Audio arrives faster than it is played, so the position must be
 * estimated.
 */
import type { PlaybackPosition } from '@parley/contract';
import { estimateHeardText } from '@parley/domain';

const BYTES_PER_MS = 48;

export class PlaybackItem {
  readonly itemId: string;
  /** Whether it was requested with instructions of its own. */
  readonly hasOwnInstructions: boolean;
  /** Position of the audio within the item, needed to truncate it. */
  contentIndex = 0;
  /** Duration of the audio that was passed on. */
  audioMs = 0;
  text = '';
  /** No more audio will arrive. */
  isComplete = false;
  /** The learner interrupted, so no more audio is passed on. */
  isInterrupted = false;
  /** The time at which playback would have started if it had never paused. */
  #startedAtMs: number | null = null;
  /** The position at which the player is paused. */
  #heldAtMs: number | null = null;

  constructor(itemId: string, hasOwnInstructions = false) {
    this.itemId = itemId;
    this.hasOwnInstructions = hasOwnInstructions;
  }

  addAudio(pcm: Uint8Array, nowMs: number): void {
    this.#startedAtMs ??= nowMs;
    this.audioMs += pcm.byteLength / BYTES_PER_MS;
  }

  get isHeld(): boolean {
    return this.#heldAtMs !== null;
  }

  /** The player pauses as soon as it can. */
  hold(nowMs: number): void {
    this.reportPlayback({ audioMs: this.playedMs(nowMs), isHeld: true }, nowMs);
  }

  resume(nowMs: number): void {
    this.reportPlayback({ audioMs: this.playedMs(nowMs) }, nowMs);
  }

  /** Records the player's report. Unless playback is on hold, the estimate continues from there. */
  reportPlayback({ audioMs, isHeld }: Pick<PlaybackPosition, 'audioMs' | 'isHeld'>, nowMs: number): void {
    const playedMs = Math.min(audioMs, this.audioMs);
    this.#heldAtMs = isHeld === true ? playedMs : null;
    if (this.#startedAtMs !== null) this.#startedAtMs = nowMs - playedMs;
  }

  /**
   * Estimates the position by the clock for a player that does not report, assuming that it plays audio as it arrives.
   */
  playedMs(nowMs: number): number {
    if (this.#heldAtMs !== null) return this.#heldAtMs;
    return this.#startedAtMs === null ? 0 : Math.min(this.audioMs, nowMs - this.#startedAtMs);
  }

  /** Returns the time until all received audio has been played. */
  remainingMs(nowMs: number): number {
    return this.audioMs - this.playedMs(nowMs);
  }

  /** Returns the words that belong to this much of the audio. */
  playedText(playedMs: number): string {
    if (this.isComplete && playedMs >= this.audioMs) return this.text.trim();
    return this.audioMs === 0 ? '' : estimateHeardText(this.text, playedMs / this.audioMs);
  }
}
