/** Plays a WAV file or a clip of it at any speed without changing the pitch. */
import { outputDevice } from '../output/output-device.ts';

export interface Clip {
  startMs: number;
  endMs: number;
}

const CLIP_MARGIN_MS = 60;

/** Resolves when playback ends, is aborted or fails. */
export function playWav(
  wav: Blob,
  { clip, rate, signal }: { clip?: Clip | undefined; rate: number; signal: AbortSignal },
): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const url = URL.createObjectURL(wav);
    const audio = new Audio(url);
    const { ready, release } = outputDevice().attach(audio);
    audio.preservesPitch = true;
    audio.playbackRate = rate;
    const end = (): void => {
      audio.pause();
      release();
      URL.revokeObjectURL(url);
      signal.removeEventListener('abort', end);
      resolve();
    };
    if (clip !== undefined) {
      audio.currentTime = Math.max(0, clip.startMs - CLIP_MARGIN_MS) / 1000;
      audio.addEventListener('timeupdate', () => {
        if (audio.currentTime * 1000 >= clip.endMs + CLIP_MARGIN_MS) end();
      });
    }
    audio.addEventListener('ended', end);
    audio.addEventListener('error', end);
    signal.addEventListener('abort', end);
    ready.then(() => (signal.aborted ? undefined : audio.play())).catch(end);
  });
}
