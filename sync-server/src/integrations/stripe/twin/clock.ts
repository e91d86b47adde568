/** The twin's time: the machine's, or one that stands still until it is moved. */
import type { State } from './state/state.ts';

export class TwinClock {
  readonly #state: State;
  readonly #base: () => number;
  #pinnedMs: number | null = null;

  /** `startsAt`: it stands still there; without, it runs with the machine's. */
  constructor(state: State, startsAt: Date | undefined) {
    this.#state = state;
    this.#base = startsAt === undefined ? Date.now : () => startsAt.getTime();
  }

  nowMs = (): number => this.#pinnedMs ?? this.#base() + this.#state.clockOffsetMs;
  now = (): number => Math.floor(this.nowMs() / 1_000);

  /** Stands still at a moment on the way to another. */
  pin(ms: number): void {
    this.#pinnedMs = ms;
  }

  /** Goes on from where it was pinned. */
  release(): void {
    if (this.#pinnedMs === null) return;
    this.#state.clockOffsetMs = this.#pinnedMs - this.#base();
    this.#pinnedMs = null;
  }
}
