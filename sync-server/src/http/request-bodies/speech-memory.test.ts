import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MAX_SPEECH_BYTES, PCM_MEDIA_TYPE } from '@parley/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOpenAiTranscriber } from '../../integrations/openai/index.ts';
import { openMemoryDatabase } from '../../../test-kit/memory-database.ts';
import { requestBytes, sendRaw } from '../../../test-kit/raw-connection.ts';
import { registerDevice, startServer, type TestServer } from '../../../test-kit/server.ts';

const MEGABYTE = 1_048_576;
const DEVICES = 17;
const TURNS_PER_DEVICE = 2;
const MAX_GROWTH_BYTES = 250 * MEGABYTE;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The memory that the process holds, excluding garbage that the next collection frees. */
async function measureBytes(): Promise<number> {
  collectGarbage();
  // After a collection, buffers are freed in other threads.
  await sleep(500);
  return process.memoryUsage.rss();
}

let server: TestServer;
let address: string;
/** The requests that have reached the provider, which never answers. */
const held: unknown[] = [];
beforeAll(async () => {
  const transcriber = createOpenAiTranscriber({
    apiKey: 'key',
    baseUrl: 'http://provider.test/v1',
    model: 'transcriber',
    fetch: async (url, init) => {
      // The client first finds out whether `fetch` can send a form.
      if (url === 'data:,') return new Response();
      held.push(init?.body);
      const { promise, reject } = Promise.withResolvers<Response>();
      init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
      return promise;
    },
  });
  server = await startServer(await openMemoryDatabase(), {
    // The test names its networks in the header of a proxy.
    trustProxy: 1,
    ai: {
      services: { coach: null, transcriber: { where: 'openai', transcriber }, assessor: null, voice: null },
      realtime: null,
      dailyLimitUsd: 1_000,
      isMetered: false,
    },
  });
  address = await server.listen();
});
afterAll(() => server.close());

it(
  'the longest turns of many learners at once fit a small node while the provider is silent',
  { tags: ['slow'] },
  async () => {
    const turn = Buffer.alloc(MAX_SPEECH_BYTES, 1);
    const devices = await Promise.all(Array.from({ length: DEVICES }, () => registerDevice(server)));
    const leave: (() => void)[] = [];
    const beforeBytes = await measureBytes();
    const turns = devices.flatMap((device, nr) =>
      Array.from({ length: TURNS_PER_DEVICE }, async () => {
        const head = requestBytes({
          path: `/v1/speech/transcribe?sessionId=${randomUUID()}`,
          headers: {
            authorization: `Bearer ${device.token}`,
            'content-type': PCM_MEDIA_TYPE,
            'content-length': String(turn.byteLength),
            'x-forwarded-for': `203.0.113.${nr % 2}`,
          },
        });
        const more = (socket: { write: (bytes: Buffer) => void; destroy: () => void }): void => {
          socket.write(turn);
          leave.push(() => socket.destroy());
        };
        return sendRaw(address, head, { more, withinMs: 60_000 }).then(
          ({ status }) => status,
          () => null,
        );
      }),
    );
    const answered: (number | null)[] = [];
    for (const status of turns) void status.then((code) => answered.push(code));
    await expect.poll(() => held.length + answered.length, { timeout: 30_000 }).toBe(DEVICES * TURNS_PER_DEVICE);
    const growthBytes = (await measureBytes()) - beforeBytes;
    leave.forEach((disconnect) => disconnect());
    await Promise.all(turns);
    // Only a limited number of learners are served at once; the others are asked to send again.
    expect(held.length).toBeGreaterThanOrEqual(16);
    expect(answered.filter((code) => code !== null && code !== 429)).toEqual([]);
    expect(growthBytes).toBeLessThan(MAX_GROWTH_BYTES);
  },
);
