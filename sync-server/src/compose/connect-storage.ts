/** Connects the storage of media: a folder, or an S3-compatible bucket. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createFolderStorage } from '../integrations/folder-storage/index.ts';
import { createS3Storage } from '../integrations/s3-storage/index.ts';
import type { MediaOptions } from './app-options.ts';
import type { MediaConfig } from './config/config.ts';

const UPLOADS = 'uploads';
const FILES = 'files';

export const connectStorage = ({ dir, s3, ...limits }: MediaConfig): MediaOptions => ({
  storage: s3 === null ? createFolderStorage(join(dir, FILES)) : createS3Storage(s3),
  uploadsDir: join(dir, UPLOADS),
  limits,
});

/** Keeps the media of a server that runs briefly, such as in a test. The folder is made by the first upload. */
export function createTemporaryMedia(app: FastifyInstance): MediaOptions {
  const dir = join(tmpdir(), `parley-media-${randomUUID()}`);
  app.addHook('onClose', () => rm(dir, { recursive: true, force: true }));
  return connectStorage({ dir, s3: null, maxFileBytes: 2_000_000_000, maxTotalBytes: 50_000_000_000 });
}
