/**
 * Inspects an uploaded file: whether it is a video that learners’ apps can play, and how long it is. The file's name is
 * ignored.
 */
import type { MediaRefusal } from '@parley/contract';
import { type FileHandle, open } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { parseBlob } from 'music-metadata';

/** The formats that browsers play, and the types under which they are served. */
const SERVED_AS: Readonly<Partial<Record<string, string>>> = {
  'video/mp4': 'video/mp4',
  'video/x-m4v': 'video/mp4',
  'video/webm': 'video/webm',
};
const MAX_DURATION_S = 6 * 3_600;
/**
 * The tables of a six-hour video at 60 frames a second take 20 MiB. A file with a longer description would fill the
 * memory.
 */
const MAX_READ_BYTES = 32 * 1_048_576;
const MAX_READ_MS = 60_000;

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

/** Null when the file ends where its tracks should be described, or when the description is too long. */
async function readFormat(path: string): Promise<{ durationS: number | null; hasPicture: boolean } | null> {
  const file = await open(path);
  try {
    const source = await boundedSource(file);
    const { format } = await parseBlob(source, { skipCovers: true, skipPostHeaders: true, mkvUseIndex: true });
    const { duration, hasVideo, trackInfo } = format;
    // The Matroska parser reports the tracks only.
    const hasPicture = hasVideo === true || trackInfo.some(({ video }) => video !== undefined);
    // The duration of the whole MP4 is that of its audio.
    const durationS = Math.max(0, ...[duration, ...trackInfo.map((track) => track.duration)].map((each) => each ?? 0));
    return { durationS: Number.isFinite(durationS) && durationS > 0 ? durationS : null, hasPicture };
  } catch {
    return null;
  } finally {
    await file.close();
  }
}

/** The part of `Blob` that the parser uses: it skips the media data, and requests each part that it examines. */
async function boundedSource(file: FileHandle): Promise<Blob> {
  const endsAt = Date.now() + MAX_READ_MS;
  let readBytes = 0;
  const read = async (from: number, to: number): Promise<ArrayBuffer> => {
    readBytes += to - from;
    if (readBytes > MAX_READ_BYTES || Date.now() > endsAt) throw new Error('the description of the tracks is too long');
    const bytes = new Uint8Array(to - from);
    await file.read(bytes, 0, bytes.byteLength, from);
    return bytes.buffer;
  };
  const { size } = await file.stat();
  const source = { size, type: '', slice: (from: number, to: number) => ({ arrayBuffer: () => read(from, to) }) };
  return source as unknown as Blob;
}
