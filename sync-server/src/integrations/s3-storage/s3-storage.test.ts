import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileStorageSuite } from '../../../test-kit/storage/file-storage-suite.ts';
import type { FileStorage } from '../../ports/storage/file-storage.ts';
import { createS3Storage } from './index.ts';

const directory = mkdtempSync(join(tmpdir(), 'parley-s3-'));
const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory,
  configureBuckets: [{ name: 'school', configs: [] }],
});
let endpoint = '';
let storage: FileStorage;
beforeAll(async () => {
  const address: AddressInfo = await server.run();
  endpoint = `http://127.0.0.1:${address.port}`;
  storage = connect('school');
});
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

const connect = (bucket: string, accessKeyId = 'S3RVER'): FileStorage =>
  createS3Storage({ bucket, region: 'us-east-1', accessKeyId, secretAccessKey: 'S3RVER', endpoint });

describe('the S3 storage', () => {
  fileStorageSuite(() => storage);

  it('fails when the bucket is missing or the key is wrong, instead of finding nothing', async () => {
    await expect(connect('elsewhere').get('media/x')).rejects.toThrow();
    await expect(connect('school', 'wrong').get('media/x')).rejects.toThrow();
  });
});
