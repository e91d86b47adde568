/** Looks into an uploaded file: whether it is a video that learners’ apps play, and how long it is. Its name counts for nothing. */
import type { MediaRefusal } from '@parley/contract';
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type';
import { parseFile } from 'music-metadata';

/** What browsers play, and as which type it is served. */
const SERVED_AS: Readonly<Partial<Record<string, string>>> = {
  'video/mp4': 'video/mp4',
  'video/x-m4v': 'video/mp4',
  'video/webm': 'video/webm',
};
const COVER_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp']);
const MAX_DURATION_S = 6 * 3_600;

export type Verification =
  { isVideo: true; mediaType: string; durationS: number | null } | { isVideo: false; reason: MediaRefusal };

export async function verifyVideo(path: string): Promise<Verification> {
  const refuse = (reason: MediaRefusal): Verification => ({ isVideo: false, reason });
  const type = await fileTypeFromFile(path);
  const mediaType = SERVED_AS[type?.mime ?? ''];
  if (mediaType === undefined) return refuse(type?.mime.startsWith('video/') === true ? 'unsupported' : 'not_video');
  const format = await readFormat(path);
  if (format === null || !format.hasPicture) return refuse('damaged');
  const { durationS } = format;
  if (durationS !== null && durationS > MAX_DURATION_S) return refuse('too_long');
  return { isVideo: true, mediaType, durationS };
}

/** Null when the file ends where its tracks should be described. */
async function readFormat(path: string): Promise<{ durationS: number | null; hasPicture: boolean } | null> {
  try {
    const { format } = await parseFile(path, { skipCovers: true, skipPostHeaders: true, mkvUseIndex: true });
    const { duration, hasVideo, trackInfo } = format;
    // The Matroska parser reports the tracks only.
    const hasPicture = hasVideo === true || trackInfo.some(({ video }) => video !== undefined);
    // Of an MP4, the whole has the duration of its sound.
    const durationS = Math.max(0, ...[duration, ...trackInfo.map((track) => track.duration)].map((each) => each ?? 0));
    return { durationS: Number.isFinite(durationS) && durationS > 0 ? durationS : null, hasPicture };
  } catch {
    return null;
  }
}

/** Null when the bytes are no picture that every app shows. */
export async function coverTypeOf(bytes: Uint8Array): Promise<string | null> {
  const type = await fileTypeFromBuffer(bytes);
  return type !== undefined && COVER_TYPES.has(type.mime) ? type.mime : null;
}
