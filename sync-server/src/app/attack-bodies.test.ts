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
import { openDatabase } from '../db/client.ts';
import { anHonestLearner, expectDiscreetLog, type HonestLearner } from '../test-kit/honest-learner.ts';
import { type RawAnswer, requestBytes, say } from '../test-kit/raw-line.ts';
import { aPush, startServer, type TestServer } from '../test-kit/server.ts';

const MEGABYTE = 1_048_576;
const GIGABYTE_IN_MEGABYTES = 1_024;
const MAX_RSS_GROWTH_BYTES = 150_000_000;
/** To unpack a gigabyte takes seconds of a processor; to refuse it, next to nothing. */
const MAX_CPU_MS = 600;

let server: TestServer;
let address: string;
let honest: HonestLearner;
beforeAll(async () => {
  server = await startServer(await openDatabase({ type: 'memory' }), { withCatalogue: true, logLevel: 'trace' });
  address = await server.listen();
  honest = await anHonestLearner(server);
});
afterEach(async () => {
  await honest.isUnharmed();
  expectDiscreetLog(server, [honest.device]);
});
afterAll(() => server.close());

const authorized = (): Record<string, string> => ({ authorization: `Bearer ${honest.device.token}` });
const push = (body: string | Buffer, headers: Record<string, string> = {}): Promise<RawAnswer> =>
  say(address, requestBytes({ path: '/v1/sync/push', headers: { ...authorized(), ...headers }, body }));
const emptyPush = (): string => JSON.stringify(aPush(server, honest.device.deviceId, []));
const tooLarge = { status: 413, body: { code: 'request.too_large' } };
const invalid = { status: 400, body: { code: 'request.invalid' } };

describe('a body of 100 MB', () => {
  it('is refused by its length alone', async () => {
    const headers = { ...authorized(), 'content-length': String(100 * MEGABYTE) };
    expect(await say(address, requestBytes({ path: '/v1/sync/push', headers, body: '{' }))).toMatchObject(tooLarge);
  });

  it.each(['/v1/sync/push', '/v1/sync/stream', '/v1/devices/register'])(
    'that does not say how long it is is cut off at %s, long before its end',
    async (path) => {
      let sentBytes = 0;
      const { 'content-length': _, ...headers } = { ...authorized(), 'content-length': '' };
      const head = requestBytes({ path, headers: { ...headers, 'transfer-encoding': 'chunked' } });
      const chunk = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
      const answer = await say(address, String(head).replace('content-length: 0\r\n', ''), {
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

describe('a gigabyte packed', () => {
  const zeros = Buffer.alloc(MEGABYTE);
  const gigabyte = (): Readable =>
    Readable.from(
      (function* () {
        for (let count = 0; count < GIGABYTE_IN_MEGABYTES; count += 1) yield zeros;
      })(),
    );
  const bombs: [encoding: string, pack: () => Promise<Buffer>][] = [
    // As many members as it takes: their contents follow one another.
    ['gzip', async () => Buffer.concat(Array<Buffer>(16).fill(gzipSync(Buffer.alloc(64 * MEGABYTE), { level: 9 })))],
    ['zstd', () => buffer(gigabyte().pipe(createZstdCompress()))],
    ['br', () => buffer(gigabyte().pipe(createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })))],
  ];
  it.each(bombs)(
    'with %s is refused in bounded memory and time, and not unpacked to its end',
    async (encoding, pack) => {
      const bomb = await pack();
      expect(bomb.byteLength).toBeLessThan(1.05 * MEGABYTE);
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
    },
  );
});

describe('a megabyte of nothing but', () => {
  const half = MEGABYTE / 2;
  it.each([
    ['lists in lists', '['.repeat(half) + ']'.repeat(half)],
    ['lists without an end', '['.repeat(MEGABYTE)],
    ['objects in objects', '{"a":'.repeat(MEGABYTE / 6) + '0' + '}'.repeat(MEGABYTE / 6)],
    ['keys', `{${Array.from({ length: 90_000 }, (_, nr) => `"k${nr}":0`).join(',')}}`],
    ['digits', '9'.repeat(MEGABYTE)],
  ])('%s is refused at once', async (_what, body) => {
    const answer = await push(body);
    expect(answer).toMatchObject(invalid);
    expect(answer.tookMs).toBeLessThan(1_000);
  });
});

it('lists in lists are refused before anything walks through them, in a field that may hold lists too', async () => {
  const { device } = honest;
  const nested = JSON.stringify({ ...honest.change, deviceSeq: 2, fields: { entireConversation: 'MARK' } });
  const deep = nested.replace('"MARK"', '['.repeat(100_000) + ']'.repeat(100_000));
  const body = JSON.stringify(aPush(server, device.deviceId, [])).replace('[]', `[${deep}]`);
  expect(await push(body)).toMatchObject(invalid);
});

describe('a packed body', () => {
  const packs: [encoding: string, pack: (text: string) => Buffer][] = [
    ['gzip', (text) => gzipSync(text)],
    ['zstd', (text) => zstdCompressSync(text)],
    ['br', (text) => brotliCompressSync(text)],
  ];
  it.each(packs)('with %s is unpacked', async (encoding, pack) => {
    expect(await push(pack(emptyPush()), { 'content-encoding': encoding })).toMatchObject({ status: 200 });
  });

  it.each(packs)('with %s that is cut off, or is none, is refused', async (encoding, pack) => {
    const headers = { 'content-encoding': encoding };
    const packed = pack(emptyPush());
    expect(await push(packed.subarray(0, packed.byteLength / 2), headers)).toMatchObject(invalid);
    expect(await push(emptyPush(), headers)).toMatchObject(invalid);
    expect(await push('', headers)).toMatchObject(invalid);
    expect(await push(pack(String(pack('{}'))), headers)).toMatchObject(invalid);
  });

  it.each(['lzma', 'GZIP', 'gzip, gzip', '__proto__', 'gzip\tgzip', ' '])('in %j is refused', async (encoding) => {
    expect(await push(gzipSync(gzipSync(emptyPush())), { 'content-encoding': encoding })).toMatchObject(invalid);
  });
});

describe('a body of another type', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/json-patch+json',
    'nonsense',
  ])('%s, is refused whatever it holds', async (type) => {
    for (const path of ['/v1/sync/push', '/v1/sync/stream', '/v1/devices/join'])
      expect(
        await say(
          address,
          requestBytes({ path, headers: { ...authorized(), 'content-type': type }, body: emptyPush() }),
        ),
      ).toMatchObject(invalid);
  });
});
