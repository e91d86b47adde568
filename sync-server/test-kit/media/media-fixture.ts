/** Videos to upload, and uploads by the client that the panel uses. */
import { readFileSync } from 'node:fs';
import { UPLOADS_PATH } from '@parley/contract';
import { type DetailedError, Upload } from 'tus-js-client';

const sample = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));
/** One second of moving bars. */
export const MP4: Buffer = sample('bars.mp4');
export const WEBM: Buffer = sample('bars.webm');

export interface UploadOptions {
  address: string;
  headers: Record<string, string>;
  content: Buffer;
  name?: string;
  /** Continues this upload. */
  url?: string;
  /** Stops after this many bytes were accepted, as if the connection had been lost. */
  stopAfter?: number;
  chunkSize?: number;
}

export interface UploadOutcome {
  /** Null when the server did not accept the upload at all. */
  url: string | null;
  /** 0 when the server did not refuse anything. */
  status: number;
  /** The server's explanation. */
  body: string;
  isComplete: boolean;
  /** Bytes that were sent in this call. */
  sentBytes: number;
}

export const uploadIdOf = ({ url }: Pick<UploadOutcome, 'url'>): string => url?.split('/').at(-1) ?? '';

export function uploadFile(options: UploadOptions): Promise<UploadOutcome> {
  const { address, headers, content, name = 'tour.mp4', url = null, stopAfter = Infinity } = options;
  return new Promise((resolve) => {
    let sentBytes = 0;
    const outcome = (change: Partial<UploadOutcome>): void =>
      resolve({ url: upload.url, status: 0, body: '', isComplete: false, sentBytes, ...change });
    const upload = new Upload(content, {
      endpoint: `${address}${UPLOADS_PATH}`,
      uploadUrl: url,
      headers,
      metadata: { filename: name },
      chunkSize: options.chunkSize ?? 2_000,
      retryDelays: null,
      onChunkComplete: (bytes, accepted) => {
        sentBytes += bytes;
        if (accepted >= stopAfter) void upload.abort().then(() => outcome({}));
      },
      onSuccess: () => outcome({ isComplete: true }),
      onError: (error) => {
        const { originalResponse: response = null } = error as Partial<DetailedError>;
        outcome({ status: response?.getStatus() ?? -1, body: response?.getBody() ?? error.message });
      },
    });
    upload.start();
  });
}
