/** Decides when sound cues are played: one at a time, and never during speech or a recording. */
import type { SoundCue } from './render-cue.ts';

export interface CuePlayer {
  /** Resolves when the cue can no longer be heard, or at once if it is not played. Never rejects. */
  play: (cue: SoundCue) => Promise<void>;
  /** Fades out the current cue within a few milliseconds, because speech begins. */
  silence: () => void;
}

export interface CuePlayerOptions {
  /** Whether cues are switched on and nothing is being spoken or recorded; checked immediately before each cue. */
  mayPlay: () => boolean;
  /** Resolves when the cue can no longer be heard. */
  sound: (cue: SoundCue, signal: AbortSignal) => Promise<void>;
}

/** A recording waits at most this long for its cue, whatever the loudspeaker does. */
const MAX_WAIT_MS = 500;

export function createCuePlayer({ mayPlay, sound }: CuePlayerOptions): CuePlayer {
  let current = new AbortController();
  let previous = Promise.resolve();

  const playNow = async (cue: SoundCue): Promise<void> => {
    if (!mayPlay()) return;
    const controller = new AbortController();
    current = controller;
    let timeout: ReturnType<typeof setTimeout> | undefined;
    const waitedLongEnough = new Promise<void>((resolve) => {
      timeout = setTimeout(() => {
        controller.abort();
        resolve();
      }, MAX_WAIT_MS);
    });
    // A cue that cannot be played is skipped, because the screen says the same in words.
    await Promise.race([sound(cue, controller.signal).catch(() => undefined), waitedLongEnough]);
    clearTimeout(timeout);
  };

  return {
    play: (cue) => (previous = previous.then(() => playNow(cue))),
    silence: () => current.abort(),
  };
}
