import { mkdtempSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileStorageSuite } from '../../../test-kit/storage/file-storage-suite.ts';
import { toErrorResponse } from '../../http/errors/error-response.ts';
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
afterAll(() => server.close());

const connect = (bucket: string, accessKeyId = 'S3RVER', address = endpoint): FileStorage =>
  createS3Storage({ bucket, region: 'us-east-1', accessKeyId, secretAccessKey: 'S3RVER', endpoint: address });

describe('the S3 storage', () => {
  fileStorageSuite(() => storage);

  it('closes the body of a file that it could not send', async () => {
    const body = new Readable({ read: () => undefined });
    const unreachable = connect('school', 'S3RVER', 'http://127.0.0.1:9');
    await expect(unreachable.put('media/x', body, { bytes: 10, mediaType: 'video/mp4' })).rejects.toThrow();
    expect(body.destroyed).toBe(true);
  });

  it('fails when the bucket is missing or the key is wrong, instead of finding nothing', async () => {
    await expect(connect('elsewhere').get('media/x')).rejects.toThrow();
    await expect(connect('school', 'wrong').get('media/x')).rejects.toThrow();
  });

  it.each([
    ['its key is wrong', () => connect('school', 'wrong')],
    ['its bucket is missing', () => connect('elsewhere')],
    ['it cannot be reached', () => connect('school', 'S3RVER', 'http://127.0.0.1:9')],
  ])('answers that files are unavailable, rather than the database, when %s', async (_when, unusable) => {
    const error: unknown = await unusable()
      .put('media/x', Readable.from([Buffer.from('x')]), { bytes: 1, mediaType: 'video/mp4' })
      .catch((failure: unknown) => failure);
    expect(toErrorResponse(error, 'r1')).toMatchObject({
      status: 503,
      body: { code: 'storage.unavailable' },
      isBug: true,
    });
  });
});
