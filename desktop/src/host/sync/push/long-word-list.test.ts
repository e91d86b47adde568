/** The longest word list exceeds the push limit, so it is sent as several changes of its row. */
import { MAX_PUSH_BYTES } from '@parley/contract';
import type { PronunciationWord } from '@parley/domain';
import { MAX_PRONUNCIATION_WORDS } from '@parley/domain/test-kit/pronunciation-words';
import { sql } from 'drizzle-orm';
import { fileURLToPath } from 'node:url';
import { uuidv7 } from 'uuidv7';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { insertRow, openStore } from '../../store/index.ts';
import { startServer, type TestServer } from '../../test-kit/test-server.ts';
import { aClock, type OpenHost, openHost } from '../../test-kit/open-host.ts';
import { inDatabase, readOutbox } from '../../test-kit/read-database.ts';

const LIST = 'pronunciation_improvement_summary';

let server: TestServer;
let opened: OpenHost[] = [];
beforeAll(async () => {
  server = await startServer();
});
afterEach(async () => {
  await Promise.all(opened.map(({ host }) => host.close()));
  opened = [];
});
afterAll(() => server.close());

const COUNT = { attempts: 12, meanAccuracy: 41.7 };
const aWord = (index: number): PronunciationWord => ({
  word: `${'considerably '.repeat(4)}${String(index).padStart(4, '0')}`,
  ipa: 'kənˈsɪdərəbli'.repeat(6),
  ...COUNT,
  worstPhonemes: ['θ', 'ð', 'ʃ', 'ŋ'],
  lastPracticedAt: '2026-11-18T10:00:00.000Z',
  due: null,
  stability: null,
  difficulty: null,
  counts: { '019aa000-0000-7000-8000-0000000000dd': COUNT },
});
const WORDS = Array.from({ length: MAX_PRONUNCIATION_WORDS }, (_, index) => aWord(index));

async function online(dataDir?: string): Promise<OpenHost> {
  const one = await openHost({ serverUrl: server.url, ...(dataDir === undefined ? {} : { dataDir }) });
  opened.push(one);
  await one.host.whenIdle();
  return one;
}

/** Creates a device that collected the longest list before it first reached a server. */
async function aDeviceWithTheLongestList(): Promise<OpenHost> {
  const offline = await openHost();
  await offline.host.close();
  const store = await openStore({
    dataDir: offline.dataDir,
    clock: aClock(),
    newId: uuidv7,
    migrationsDir: fileURLToPath(new URL('../../store/migrations', import.meta.url)),
    knownIdentity: () => null,
  });
  const { userId } = store.identity();
  insertRow(store, 'pronunciationImprovementSummary', { id: userId, userId, words: WORDS });
  store.close();
  return online(offline.dataDir);
}

const wordsOn = ({ dataDir }: OpenHost): number =>
  inDatabase(
    dataDir,
    (sqlite) => sqlite.prepare<[], number>(`SELECT json_array_length(words) FROM ${LIST}`).pluck().get() ?? 0,
  );

async function wordsOnServer(): Promise<number> {
  const [row] = await server.read(sql`select jsonb_array_length(words) as words from ${sql.raw(LIST)}`);
  return Number(row?.['words'] ?? 0);
}

it(
  'the longest word list reaches the server, also after a server restore',
  { tags: ['slow'], timeout: 200_000 },
  async () => {
    expect(JSON.stringify(WORDS).length).toBeGreaterThan(MAX_PUSH_BYTES);
    const one = await aDeviceWithTheLongestList();
    // The list's counts follow as rows of the attempt log.
    await expect
      .poll(async () => ((await one.ask.sync.run()).state === 'idle' ? readOutbox(one.dataDir) : null), {
        timeout: 90_000,
      })
      .toEqual([]);
    expect(await wordsOnServer()).toBe(WORDS.length);

    await server.execute(sql`delete from ${sql.raw(LIST)}`);
    await server.execute(sql`update sync_scopes set version = 1, floor = 0 where scope like 'user:%'`);
    await expect
      .poll(async () => ((await one.ask.sync.run()).state === 'idle' ? wordsOnServer() : 0), { timeout: 90_000 })
      .toBe(WORDS.length);
    expect(wordsOn(one)).toBe(WORDS.length);
    expect(await one.ask.sync.rejected()).toEqual([]);
  },
);
