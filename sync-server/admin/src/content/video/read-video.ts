/**
 * Opens a video in the browser before it is uploaded: checks whether it plays, and takes a frame as its first cover.
 */
import { drawPicture, toPictureAddress } from '@parley/ui';

const COVER_SIZE = { width: 960, height: 540 };
const LOAD_TIMEOUT_MS = 15_000;
/** The very first frame is often black. */
const FRAME_AT_S = 1;

export const takeFrame = (video: HTMLVideoElement): string => toPictureAddress(drawPicture(video, COVER_SIZE));

/** Null when this browser cannot play the file. */
export async function readVideo(file: Blob): Promise<{ cover: string } | null> {
  const address = URL.createObjectURL(file);
  const video = globalThis.document.createElement('video');
  video.muted = true;
  video.preload = 'auto';
  try {
    const loaded = happens(video, 'loadeddata');
    video.src = address;
    await loaded;
    if (video.videoWidth === 0) return null;
    const sought = happens(video, 'seeked');
    video.currentTime = Math.min(FRAME_AT_S, (Number.isFinite(video.duration) ? video.duration : 0) / 2);
    await sought;
    return { cover: takeFrame(video) };
  } catch {
    return null;
  } finally {
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(address);
  }
}

const happens = (video: HTMLVideoElement, event: 'loadeddata' | 'seeked'): Promise<void> =>
  new Promise((resolve, reject) => {
    const options = { once: true, signal: AbortSignal.timeout(LOAD_TIMEOUT_MS) };
    options.signal.addEventListener('abort', () => reject(new Error('the video does not load')));
    video.addEventListener(event, () => resolve(), options);
    video.addEventListener('error', () => reject(new Error('the video does not play')), options);
  });
