/** Plays one utterance and reports when all of it has been played. */
import { SPOKEN_SAMPLE_RATE_HZ } from '@parley/contract';
import type { UtterancePlayback } from './speak-utterance.ts';
import { openPcmPlayer } from './pcm-player.ts';

/** A performance mark for the first audible sample; end-to-end tests measure with it. */
const FIRST_SOUND_MARK = 'coach:sound';
/** The last samples are still in the output buffer when the worklet reports that it is empty. */
const CLOSE_DELAY_MS = 500;
const ITEM_ID = 'line';
const SAMPLES_PER_MS = SPOKEN_SAMPLE_RATE_HZ / 1_000;

export async function openUtterancePlayback(signal: AbortSignal): Promise<UtterancePlayback> {
  let hasStarted = false;
  let addedMs = 0;
  let playedMs = 0;
  let notifyPlayed: () => void = () => undefined;
  const player = await openPcmPlayer({
    onStarted: () => {
      if (!hasStarted) performance.mark(FIRST_SOUND_MARK);
      hasStarted = true;
    },
    onLevel: () => undefined,
    onDrained: (_, audioMs) => {
      playedMs = audioMs;
      notifyPlayed();
    },
    onPaused: () => undefined,
    onStopped: () => undefined,
  });
  const close = (): void => void player.close().catch(() => undefined);
  const stop = (): void => {
    player.stop();
    notifyPlayed();
    close();
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  const isPlayed = (): boolean => signal.aborted || playedMs >= Math.floor(addedMs);
  return {
    add: (pcm) => {
      if (signal.aborted || pcm.length === 0) return;
      addedMs += pcm.length / SAMPLES_PER_MS;
      player.enqueue(ITEM_ID, pcm);
    },
    whenPlayed: () =>
      new Promise<void>((resolve) => {
        notifyPlayed = () => {
          if (isPlayed()) resolve();
        };
        notifyPlayed();
      }).then(() => {
        if (signal.aborted) return;
        signal.removeEventListener('abort', stop);
        setTimeout(close, CLOSE_DELAY_MS);
      }),
  };
}
