/** One line of a coach out of the loudspeaker: it is told when all of it was heard. */
import { SPOKEN_SAMPLE_RATE_HZ } from '@parley/contract';
import type { SoundLine } from './line-speech.ts';
import { openLinePlayer } from './line-player.ts';

/** When its first sound goes to the loudspeaker: for measuring. */
const FIRST_SOUND_MARK = 'coach:sound';
/** What was handed over is still on its way to the ear. */
const LINGER_MS = 500;
const ITEM = 'line';
const SAMPLES_A_MS = SPOKEN_SAMPLE_RATE_HZ / 1_000;

export async function openSoundLine(signal: AbortSignal): Promise<SoundLine> {
  let hasBegun = false;
  let addedMs = 0;
  let heardMs = 0;
  let tellHeard: () => void = () => undefined;
  const player = await openLinePlayer({
    onBegan: () => {
      if (!hasBegun) performance.mark(FIRST_SOUND_MARK);
      hasBegun = true;
    },
    onLevel: () => undefined,
    onDrained: (_, audioMs) => {
      heardMs = audioMs;
      tellHeard();
    },
    onHeld: () => undefined,
    onStopped: () => undefined,
  });
  const close = (): void => void player.close().catch(() => undefined);
  const stop = (): void => {
    player.stop();
    tellHeard();
    close();
  };
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  const isHeard = (): boolean => signal.aborted || heardMs >= Math.floor(addedMs);
  return {
    add: (pcm) => {
      if (signal.aborted || pcm.length === 0) return;
      addedMs += pcm.length / SAMPLES_A_MS;
      player.add(ITEM, pcm);
    },
    whenHeard: () =>
      new Promise<void>((resolve) => {
        tellHeard = () => {
          if (isHeard()) resolve();
        };
        tellHeard();
      }).then(() => {
        if (signal.aborted) return;
        signal.removeEventListener('abort', stop);
        setTimeout(close, LINGER_MS);
      }),
  };
}
