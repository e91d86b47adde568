/** The fake's clock: the machine's, or a fixed one that tests advance. */
import type { State } from './state/state.ts';

export class FakeClock {
  readonly #state: State;
  readonly #base: () => number;
  #pinnedMs: number | null = null;

  /** With `startsAt` the clock is fixed there; otherwise it runs with the machine's. */
  constructor(state: State, startsAt: Date | undefined) {
    this.#state = state;
    this.#base = startsAt === undefined ? Date.now : () => startsAt.getTime();
  }

  nowMs = (): number => this.#pinnedMs ?? this.#base() + this.#state.clockOffsetMs;
  now = (): number => Math.floor(this.nowMs() / 1_000);

  /** Fixes the clock at a moment while it advances to another. */
  pin(ms: number): void {
    this.#pinnedMs = ms;
  }

  /** Continues from where the clock was fixed. */
  release(): void {
    if (this.#pinnedMs === null) return;
    this.#state.clockOffsetMs = this.#pinnedMs - this.#base();
    this.#pinnedMs = null;
  }
}
