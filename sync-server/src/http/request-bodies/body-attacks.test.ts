import { setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createZstdCompress,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openMemoryDatabase } from '../../../test-kit/memory-database.ts';
import { anHonestLearner, expectNoSecretsInLog, type HonestLearner } from '../../../test-kit/sync/honest-learner.ts';
import { type RawResponse, requestBytes, sendRaw } from '../../../test-kit/raw-connection.ts';
import { aPushRequest, startServer, type TestServer } from '../../../test-kit/server.ts';

const MEGABYTE = 1_048_576;
const GIGABYTE_IN_MEGABYTES = 1_024;
const MAX_RSS_GROWTH_BYTES = 150_000_000;
/** Decompressing a gigabyte takes seconds of CPU time; rejecting it takes almost none. */
const MAX_CPU_MS = 400;

let server: TestServer;
let address: string;
let honest: HonestLearner;
beforeAll(async () => {
  server = await startServer(await openMemoryDatabase(), { withCatalogue: true, logLevel: 'trace' });
  address = await server.listen();
  honest = await anHonestLearner(server);
});
afterEach(async () => {
  await honest.expectUnharmed();
  expectNoSecretsInLog(server, [honest.device]);
});
afterAll(() => server.close());

const authorized = (): Record<string, string> => ({ authorization: `Bearer ${honest.device.token}` });

/**
 * Waits until the process's own background work is done, such as compiling the database's WebAssembly in other threads.
 */
async function untilIdle(): Promise<void> {
  for (;;) {
    const before = process.cpuUsage();
    await sleep(250);
    const { user, system } = process.cpuUsage(before);
    if (user + system < 25_000) return;
  }
}

const push = (body: string | Buffer, headers: Record<string, string> = {}): Promise<RawResponse> =>
  sendRaw(address, requestBytes({ path: '/v1/sync/push', headers: { ...authorized(), ...headers }, body }));
const emptyPush = (): string => JSON.stringify(aPushRequest(server, honest.device.deviceId, []));
const tooLarge = { status: 413, body: { code: 'request.too_large' } };
const invalid = { status: 400, body: { code: 'request.invalid' } };

describe('a body of 100 MB', () => {
  it('is rejected by its content-length alone', async () => {
    const headers = { ...authorized(), 'content-length': String(100 * MEGABYTE) };
    expect(await sendRaw(address, requestBytes({ path: '/v1/sync/push', headers, body: '{' }))).toMatchObject(tooLarge);
  });

  it.each(['/v1/sync/push', '/v1/sync/stream', '/v1/sync/turns', '/v1/devices/register'])(
    'without a content-length is cut off early (%s)',
    async (path) => {
      let sentBytes = 0;
      const { 'content-length': _, ...headers } = { ...authorized(), 'content-length': '' };
      const head = requestBytes({ path, headers: { ...headers, 'transfer-encoding': 'chunked' } });
      const chunk = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
      const answer = await sendRaw(address, String(head).replace('content-length: 0\r\n', ''), {
        more(socket) {
          const timer = setInterval(() => {
            if (socket.destroyed || sentBytes > 100 * MEGABYTE) clearInterval(timer);
            else if (!socket.writableNeedDrain) {
              socket.write(chunk);
              sentBytes += chunk.byteLength;
            }
          }, 1);
        },
      });
      expect(answer).toMatchObject(tooLarge);
      expect(sentBytes).toBeLessThan(20 * MEGABYTE);
    },
  );
});

describe('a compressed gigabyte', () => {
  const zeros = Buffer.alloc(MEGABYTE);
  const gigabyte = (): Readable =>
    Readable.from(
      (function* () {
        for (let count = 0; count < GIGABYTE_IN_MEGABYTES; count += 1) yield zeros;
      })(),
    );
  const bombs: [encoding: string, pack: () => Promise<Buffer>][] = [
    // A gzip file may consist of several members, whose contents are concatenated.
    ['gzip', async () => Buffer.concat(Array<Buffer>(16).fill(gzipSync(Buffer.alloc(64 * MEGABYTE), { level: 9 })))],
    ['zstd', () => buffer(gigabyte().pipe(createZstdCompress()))],
    ['br', () => buffer(gigabyte().pipe(createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })))],
  ];
  it.each(bombs)('in %s is rejected within bounded memory and time', async (encoding, pack) => {
    const bomb = await pack();
    expect(bomb.byteLength).toBeLessThan(1.05 * MEGABYTE);
    await untilIdle();
    let highestBytes = 0;
    const beforeBytes = process.memoryUsage.rss();
    const cpuBefore = process.cpuUsage();
    const watch = setInterval(() => {
      highestBytes = Math.max(highestBytes, process.memoryUsage.rss());
    }, 2);
    const answer = await push(bomb, { 'content-encoding': encoding });
    await sleep(1_000);
    clearInterval(watch);
    const { user, system } = process.cpuUsage(cpuBefore);
    expect(answer).toMatchObject(tooLarge);
    expect(highestBytes - beforeBytes).toBeLessThan(MAX_RSS_GROWTH_BYTES);
    expect((user + system) / 1_000).toBeLessThan(MAX_CPU_MS);
  });
});

describe('a megabyte of', () => {
  const half = MEGABYTE / 2;
  it.each([
    ['nested lists', '['.repeat(half) + ']'.repeat(half)],
    ['unclosed lists', '['.repeat(MEGABYTE)],
    ['nested objects', '{"a":'.repeat(MEGABYTE / 6) + '0' + '}'.repeat(MEGABYTE / 6)],
    ['keys', `{${Array.from({ length: 90_000 }, (_, nr) => `"k${nr}":0`).join(',')}}`],
    ['digits', '9'.repeat(MEGABYTE)],
  ])('%s is rejected immediately', async (_what, body) => {
    const answer = await push(body);
    expect(answer).toMatchObject(invalid);
    expect(answer.tookMs).toBeLessThan(5_000);
  });
});

it('nested lists are rejected before traversal, even where lists are allowed', async () => {
  const { device } = honest;
  const nested = JSON.stringify({ ...honest.change, deviceSeq: 2, fields: { entireConversation: 'MARK' } });
  const deep = nested.replace('"MARK"', '['.repeat(100_000) + ']'.repeat(100_000));
  const body = JSON.stringify(aPushRequest(server, device.deviceId, [])).replace('[]', `[${deep}]`);
  expect(await push(body)).toMatchObject(invalid);
});

describe('a compressed body', () => {
  const packs: [encoding: string, pack: (text: string) => Buffer][] = [
    ['gzip', (text) => gzipSync(text)],
    ['zstd', (text) => zstdCompressSync(text)],
    ['br', (text) => brotliCompressSync(text)],
  ];
  it.each(packs)('in %s is decompressed', async (encoding, pack) => {
    expect(await push(pack(emptyPush()), { 'content-encoding': encoding })).toMatchObject({ status: 200 });
  });

  it.each(packs)('in %s that is truncated or invalid is rejected', async (encoding, pack) => {
    const headers = { 'content-encoding': encoding };
    const packed = pack(emptyPush());
    expect(await push(packed.subarray(0, packed.byteLength / 2), headers)).toMatchObject(invalid);
    expect(await push(emptyPush(), headers)).toMatchObject(invalid);
    expect(await push('', headers)).toMatchObject(invalid);
    expect(await push(pack(String(pack('{}'))), headers)).toMatchObject(invalid);
  });

  it.each(['lzma', 'GZIP', 'gzip, gzip', '__proto__', 'gzip\tgzip', ' '])(
    'with content-encoding %j is rejected',
    async (encoding) => {
      expect(await push(gzipSync(gzipSync(emptyPush())), { 'content-encoding': encoding })).toMatchObject(invalid);
    },
  );
});

describe('a body with the wrong content type', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/json-patch+json',
    'nonsense',
  ])('%s is rejected whatever it contains', async (type) => {
    for (const path of ['/v1/sync/push', '/v1/sync/stream', '/v1/sync/turns', '/v1/devices/join'])
      expect(
        await sendRaw(
          address,
          requestBytes({ path, headers: { ...authorized(), 'content-type': type }, body: emptyPush() }),
        ),
      ).toMatchObject(invalid);
  });
});
