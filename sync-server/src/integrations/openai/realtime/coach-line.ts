/** A line of the coach on its way to the learner's ear: it is made faster than it is heard, so somebody must reckon what was heard. */
import type { LineHeard } from '@parley/contract';
import { wordsHeard } from '@parley/domain';

const BYTES_A_MS = 48;

export class CoachLine {
  readonly itemId: string;
  /** Spoken by instructions of its own. */
  readonly isOrdered: boolean;
  /** Where its sound stands in the item, for whoever truncates it. */
  contentIndex = 0;
  /** Of sound that was passed on. */
  audioMs = 0;
  text = '';
  /** No more of it will be made. */
  isWhole = false;
  /** The learner broke in: no more of it is passed on. */
  isCut = false;
  /** When it began, had it been heard without a stop until now. */
  #startedAtMs: number | null = null;
  /** Where its player keeps it silent. */
  #heldAtMs: number | null = null;

  constructor(itemId: string, isOrdered = false) {
    this.itemId = itemId;
    this.isOrdered = isOrdered;
  }

  sound(pcm: Uint8Array, nowMs: number): void {
    this.#startedAtMs ??= nowMs;
    this.audioMs += pcm.byteLength / BYTES_A_MS;
  }

  get isHeld(): boolean {
    return this.#heldAtMs !== null;
  }

  /** Its player stops as soon as it may. */
  hold(nowMs: number): void {
    this.played({ audioMs: this.heardMs(nowMs), isHeld: true }, nowMs);
  }

  goOn(nowMs: number): void {
    this.played({ audioMs: this.heardMs(nowMs) }, nowMs);
  }

  /** What its player says; from there the clock goes on, unless it is held. */
  played({ audioMs, isHeld }: Pick<LineHeard, 'audioMs' | 'isHeld'>, nowMs: number): void {
    const heardMs = Math.min(audioMs, this.audioMs);
    this.#heldAtMs = isHeld === true ? heardMs : null;
    if (this.#startedAtMs !== null) this.#startedAtMs = nowMs - heardMs;
  }

  /** By the clock, for a player that says nothing: it plays what it has as soon as it comes. */
  heardMs(nowMs: number): number {
    if (this.#heldAtMs !== null) return this.#heldAtMs;
    return this.#startedAtMs === null ? 0 : Math.min(this.audioMs, nowMs - this.#startedAtMs);
  }

  /** Until all that has come was heard. */
  leftMs(nowMs: number): number {
    return this.audioMs - this.heardMs(nowMs);
  }

  /** The words of so much of the sound. */
  heardText(heardMs: number): string {
    if (this.isWhole && heardMs >= this.audioMs) return this.text.trim();
    return this.audioMs === 0 ? '' : wordsHeard(this.text, heardMs / this.audioMs);
  }
}
