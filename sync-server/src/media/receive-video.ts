/** Receives a video as a stream: it is written to the disk, and inspected when it is complete. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { MediaRefusal } from '@parley/contract';
import { deletePartial, partialFile } from './uploads.ts';
import { verifyVideo } from './verify-video.ts';

/** A verified file that is not kept yet. */
export interface ArrivedVideo {
  /** Names the file in the folder; the file that is kept gets another id. */
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
