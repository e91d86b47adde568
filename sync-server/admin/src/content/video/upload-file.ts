/** Uploads a file by the tus protocol: it can be paused, continues after a lost connection, and survives a reload of the page. */
import { UPLOADS_PATH } from '@parley/contract';
import { defaultOptions, type DetailedError, type PreviousUpload, Upload } from 'tus-js-client';
import { client } from '../../foundation/api/client.ts';

export interface RunningUpload {
  pause: () => Promise<void>;
  resume: () => void;
}

export interface UploadEvents {
  onProgress: (sentBytes: number, totalBytes: number) => void;
  /** `id` is the upload's id. All bytes have arrived, but nothing has been verified yet. */
  onArrived: (id: string) => void;
  /** The received part is kept; `resume` continues from there. */
  onFailed: (error: unknown) => void;
}

/**
 * The sender is authenticated again for each piece, and a piece is small enough for the server's time limit on a slow
 * connection.
 */
const PIECE_BYTES = 4 * 1_024 * 1_024;
const RETRY_DELAYS_MS = [0, 1_000, 3_000, 5_000, 10_000, 20_000];

/** The session has ended, or the admin's role was revoked. */
class NotAdmitted extends Error {}

/** `videoId` associates an upload with its video, so that it is found again after a reload. */
export async function uploadFile(file: File, videoId: string, events: UploadEvents): Promise<RunningUpload> {
  const upload = new Upload(file, {
    endpoint: `${globalThis.location.origin}${UPLOADS_PATH}`,
    metadata: { filename: file.name, video: videoId },
    chunkSize: PIECE_BYTES,
    retryDelays: RETRY_DELAYS_MS,
    removeFingerprintOnSuccess: true,
    onProgress: events.onProgress,
    // Thrown here, so that the tus client does not abandon the upload when the session has ended.
    onAfterResponse: (_request, response) => {
      if (response.getStatus() === 401 || response.getStatus() === 403) throw new NotAdmitted();
    },
    onShouldRetry: ({ causingError, originalResponse }) => {
      const status = originalResponse?.getStatus() ?? 0;
      return (
        !(causingError instanceof NotAdmitted) && (status < 400 || status >= 500 || status === 409 || status === 423)
      );
    },
    onSuccess: () => events.onArrived(uploadIdOf(upload.url)),
    onError: (error) => void handle(error),
  });

  async function handle(error: Error | DetailedError): Promise<void> {
    if (!('causingError' in error) || !(error.causingError instanceof NotAdmitted)) return events.onFailed(error);
    try {
      // Any call makes the panel ask for the missing proof of identity.
      await client.media.usage({});
      upload.start();
    } catch (refusal) {
      events.onFailed(refusal);
    }
  }

  const [previous] = await upload.findPreviousUploads();
  if (previous !== undefined) upload.resumeFromPreviousUpload(previous);
  upload.start();
  return { pause: () => upload.abort(), resume: () => upload.start() };
}

const uploadIdOf = (url: string | null): string => url?.split('/').at(-1) ?? '';

export interface InterruptedUpload {
  fileName: string;
  forget: () => Promise<void>;
}

/** An unfinished upload for this video from an earlier visit. */
export async function findInterruptedUpload(videoId: string): Promise<InterruptedUpload | null> {
  const found: PreviousUpload | undefined = (await defaultOptions.urlStorage.findAllUploads()).find(
    ({ metadata }) => metadata['video'] === videoId,
  );
  if (found === undefined) return null;
  return {
    fileName: found.metadata['filename'] ?? '',
    forget: async () => {
      await client.media.cancel({ id: uploadIdOf(found.uploadUrl) }).catch(() => undefined);
      await defaultOptions.urlStorage.removeUpload(found.urlStorageKey);
    },
  };
}

/** The status of the server's refusal; 0 if the server was not reached. */
export const refusalStatus = (error: unknown): number =>
  error instanceof Error && 'originalResponse' in error
    ? ((error as DetailedError).originalResponse?.getStatus() ?? 0)
    : 0;
