/** Receives a video as a stream: it is written to disk, and inspected once complete. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { MediaRefusal } from '@parley/contract';
import { deletePartial, partialFile } from './uploads.ts';
import { verifyVideo } from './verify-video.ts';

/** A verified file that has not been kept yet. */
export interface ArrivedVideo {
  /** The file's name in the folder; the kept file gets another id. */
  partialId: string;
  bytes: number;
  mediaType: string;
  durationS: number | null;
}

export type ReceivedVideo = { ok: true; video: ArrivedVideo } | { ok: false; reason: MediaRefusal };

/** A refused file is deleted. */
export async function receiveVideo(folder: string, content: AsyncIterable<Buffer>): Promise<ReceivedVideo> {
  const partialId = randomUUID();
  const path = partialFile(folder, partialId);
  try {
    await mkdir(folder, { recursive: true });
    const file = createWriteStream(path, { mode: 0o600 });
    await pipeline(content, file);
    const verified = await verifyVideo(path);
    if (verified.isVideo) {
      const { mediaType, durationS } = verified;
      return { ok: true, video: { partialId, bytes: file.bytesWritten, mediaType, durationS } };
    }
    await deletePartial(folder, partialId);
    return { ok: false, reason: verified.reason };
  } catch (error) {
    await deletePartial(folder, partialId);
    throw error;
  }
}
