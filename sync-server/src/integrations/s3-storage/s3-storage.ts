/** Stores files in a bucket of Amazon S3 or of any service that speaks its protocol, such as MinIO, R2 or Garage. */
import { pipeline, Readable, Transform } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { assertStorageKey, type FileStorage } from '../../ports/storage/file-storage.ts';
import { StorageFailure } from '../../ports/storage/storage-failure.ts';

export interface S3Options {
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Null for Amazon itself. */
  endpoint: string | null;
}

export function createS3Storage({ bucket, region, accessKeyId, secretAccessKey, endpoint }: S3Options): FileStorage {
  const client = new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    // Other services do not know the checksums that the SDK adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const at = (key: string): { Bucket: string; Key: string } => {
    assertStorageKey(key);
    return { Bucket: bucket, Key: key };
  };

  return {
    name: 's3',

    async put(key, body, { bytes, mediaType }) {
      const file = { ...at(key), ContentLength: bytes, ContentType: mediaType };
      // The SDK notices neither a failing body nor one that is too short, and would wait for the rest.
      const broken = new AbortController();
      const checked = pipeline(body, requireLength(bytes), (error) => {
        if (error) broken.abort(error);
      });
      try {
        await client.send(new PutObjectCommand({ ...file, Body: checked }), { abortSignal: broken.signal });
      } catch (error) {
        body.destroy();
        throw broken.signal.aborted ? error : new StorageFailure(error);
      }
    },

    async get(key, range) {
      const ranged = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
      const found = await orNull(client.send(new GetObjectCommand({ ...at(key), ...ranged })));
      return found?.Body instanceof Readable ? found.Body : null;
    },

    async stat(key) {
      const found = await orNull(client.send(new HeadObjectCommand(at(key))));
      return found === null
        ? null
        : { key, bytes: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date(0) };
    },

    async delete(key) {
      await orNull(client.send(new DeleteObjectCommand(at(key))));
    },

    async *list(prefix) {
      const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix });
      for (;;) {
        const { done, value: page } = await pages.next().catch(fail);
        if (done === true) return;
        for (const { Key, Size, LastModified } of page.Contents ?? [])
          if (Key !== undefined) yield { key: Key, bytes: Size ?? 0, modifiedAt: LastModified ?? new Date(0) };
      }
    },
  };
}

function requireLength(bytes: number): Transform {
  let missing = bytes;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      missing -= chunk.byteLength;
      done(null, chunk);
    },
    flush: (done) => done(missing === 0 ? null : new Error('the length of the file differs from the announced one')),
  });
}

async function orNull<Value>(found: Promise<Value>): Promise<Value | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404 && error.name !== 'NoSuchBucket')
      return null;
    return fail(error);
  }
}

function fail(error: unknown): never {
  throw new StorageFailure(error);
}
