/** Checks for `doctor` that the server's key can list, write, read and delete in the bucket, using a temporary file. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Config } from '../../compose/config/config.ts';
import { connectBucket } from '../../compose/connect-storage.ts';
import type { FileStorage } from '../../ports/storage/file-storage.ts';
import type { Finding } from '../command.ts';

const CONTENT = 'Written by parley-server doctor.';

export async function checkBucket({ s3 }: Pick<Config['media'], 's3'>): Promise<Finding[]> {
  if (s3 === null) return [];
  const name = 'bucket';
  try {
    await useStorage(await connectBucket(s3));
    return [{ name, isGood: true, text: `${s3.bucket} can be read and written` }];
  } catch (error) {
    const reason = explain(error);
    return [
      {
        name,
        isGood: false,
        text: reason.includes('RequestTimeTooSkewed')
          ? `${s3.bucket} cannot be used (${reason}): set this server's clock, and run NTP.`
          : `${s3.bucket} cannot be used (${reason}): correct S3_BUCKET, S3_ENDPOINT or the key.`,
      },
    ];
  }
}

/** The service's own code, such as `NoSuchBucket`, is the name of the error; a failed connection has a code. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : error.name;
  return [code, error.message].filter((part) => part !== '' && part !== 'Error').join(': ');
}

async function useStorage(storage: FileStorage): Promise<void> {
  const key = `doctor/${randomUUID()}.txt`;
  const file = { bytes: Buffer.byteLength(CONTENT), mediaType: 'text/plain' };
  // A wrong key or bucket fails here. If the first request were a write, the S3 client would also print a warning.
  await storage.list('doctor/')[Symbol.asyncIterator]().next();
  await storage.put(key, Readable.from([Buffer.from(CONTENT)]), file);
  const read = (await storage.get(key))?.destroy() ?? null;
  await storage.delete(key);
  if (read === null) throw new Error('a file that was just written is missing');
}
