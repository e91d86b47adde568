/** Connects the storage of media: a folder, or an S3-compatible bucket. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createFolderStorage } from '../integrations/folder-storage/index.ts';
import type { FileStorage } from '../ports/storage/file-storage.ts';
import type { MediaOptions } from './app-options.ts';
import type { MediaConfig } from './config/config.ts';

const UPLOADS = 'uploads';
const FILES = 'files';

/** Loads the S3 client only if a bucket is configured. */
export async function connectStorage({ s3, ...config }: MediaConfig): Promise<MediaOptions> {
  const options = storeInFolder(config);
  return s3 === null ? options : { ...options, storage: await connectBucket(s3) };
}

export async function connectBucket(s3: NonNullable<MediaConfig['s3']>): Promise<FileStorage> {
  const { createS3Storage } = await import('../integrations/s3-storage/index.ts');
  return createS3Storage(s3);
}

const storeInFolder = ({ dir, ...limits }: Omit<MediaConfig, 's3'>): MediaOptions => ({
  storage: createFolderStorage(join(dir, FILES)),
  uploadsDir: join(dir, UPLOADS),
  limits,
});

/** Storage for a server that runs only briefly, such as in a test. The first upload creates the folder. */
export function createTemporaryMedia(app: FastifyInstance): MediaOptions {
  const dir = join(tmpdir(), `parley-media-${randomUUID()}`);
  app.addHook('onClose', () => rm(dir, { recursive: true, force: true }));
  return storeInFolder({ dir, maxFileBytes: 2_000_000_000, maxTotalBytes: 50_000_000_000 });
}
