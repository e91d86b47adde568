/** The words of a device that pulls years of attempts, newest first. */
import type { TableRows, TurnsLaterLine } from '@parley/contract';
import { NOTHING_MEASURED } from '@parley/domain/test-kit/word-attempt';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ServerConnection } from '../../server/index.ts';
import { type Store, wordCards } from '../../store/index.ts';
import { aDataFolder } from '../../test-kit/open-host.ts';
import { openTestStore } from '../../test-kit/open-test-store.ts';
import { beginResync } from '../restore/resync.ts';
import { createRowWriter } from './apply-rows.ts';
import { pullPages } from './pull-pages.ts';

const EPOCH = '01890000-0000-7000-8000-000000000001';
const LAST_VERSION = 3;
const quiet = (): void => undefined;
const logger = { info: quiet, warn: quiet, error: quiet };

let dataDir: string;
let store: Store;
beforeEach(async () => {
  dataDir = aDataFolder();
  store = await openTestStore(dataDir);
});
afterEach(() => store.close());

/** The attempt at "comfortable" that the server stored with this version. */
function anAttempt(version: number): TableRows {
  const day = `2026-11-0${version}`;
  const at = `${day}T10:00:00.000Z`;
  const row = {
    id: `01890000-0000-7000-8000-00000000000${version}`,
    userId: store.identity().userId,
    createdAt: at,
    updatedAt: at,
    syncVersion: version,
    deletedAt: null,
    kind: 'attempt',
    at,
    day,
    word: 'comfortable',
    ...NOTHING_MEASURED,
    accuracy: 40,
    source: 'session',
    sessionId: null,
    turnId: null,
  };
  return { table: 'word_attempts', fields: Object.keys(row), rows: [Object.values(row)] };
}

/** A page with one attempt. The attempts before it are still to come. */
const aPage = (version: number): TurnsLaterLine => ({
  type: 'page',
  epoch: EPOCH,
  userId: store.identity().userId,
  tables: [anAttempt(version)],
  turns: [],
  next: { catalogue: 0, user: LAST_VERSION, older: version === 1 ? null : version },
});
const END: TurnsLaterLine = { type: 'end', epoch: EPOCH };

/** Pulls these lines, and records how many attempts the card counts after each of them has been stored. */
async function pull(lines: (() => TurnsLaterLine)[], isClosed = (): boolean => false): Promise<(number | undefined)[]> {
  const counted: (number | undefined)[] = [];
  const server: Pick<ServerConnection, 'stream'> = {
    async *stream() {
      for (const line of lines) {
        yield line();
        counted.push(attemptsOnCard());
      }
    },
  };
  await pullPages({ store, logger, writer: createRowWriter({ store, logger }) }, { server, isClosed });
  return counted;
}

const attemptsOnCard = (): number | undefined => store.db.select().from(wordCards).get()?.card.attempts;

it('shows the newest attempts at once, and computes the words once more when the oldest have come', async () => {
  expect(await pull([() => aPage(3), () => aPage(2), () => aPage(1), () => END])).toEqual([1, 1, 3]);
  expect(attemptsOnCard()).toBe(3);
});

it('counts the received rows when the stream is cut off', async () => {
  const cutOff = (): never => {
    throw new Error('cut off');
  };
  await expect(pull([() => aPage(3), () => aPage(2), cutOff])).rejects.toThrow('cut off');
  expect(attemptsOnCard()).toBe(2);
});

it('counts at the next start the rows that were received before the app was closed', async () => {
  let isClosed = false;
  const close = (): TurnsLaterLine => {
    isClosed = true;
    return END;
  };
  await pull([() => aPage(3), () => aPage(2), close], () => isClosed);
  expect(attemptsOnCard()).toBe(1);
  store.close();
  store = await openTestStore(dataDir);
  expect(attemptsOnCard()).toBe(2);
  await pull([() => aPage(1), () => END]);
  expect(attemptsOnCard()).toBe(3);
});

it('computes the words once when everything is pulled again', async () => {
  await pull([() => aPage(1), () => END]);
  beginResync(store, 'purged');
  expect(await pull([() => aPage(3), () => aPage(2), () => aPage(1), () => END])).toEqual([1, 1, 1]);
  expect(attemptsOnCard()).toBe(3);
});
