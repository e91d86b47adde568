/** The turns of several sessions are stored together. A failure in one of the sessions must not affect the others. */
import type { TurnsLine } from '@parley/contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ServerConnection } from '../../server/index.ts';
import { listMissingTurns, type Store } from '../../store/index.ts';
import { recordAnnouncedTurns } from '../../store/rows/missing-turns.ts';
import { openTestStore } from '../../test-kit/open-test-store.ts';
import { createRowWriter, type RowWriter } from './apply-rows.ts';
import { fetchTurns } from './fetch-turns.ts';

const EPOCH = '01890000-0000-7000-8000-000000000001';
const SESSIONS = [1, 2, 3].map((number) => `01890000-0000-7000-8000-00000000010${number}`);
const [FIRST = '', SECOND = '', THIRD = ''] = SESSIONS;
const quiet = (): void => undefined;
const logger = { info: quiet, warn: quiet, error: quiet };

let store: Store;
beforeEach(async () => {
  store = await openTestStore();
  recordAnnouncedTurns(
    store,
    SESSIONS.map((sessionId) => ({ sessionId, count: 0, versions: 1 })),
    { upTo: 1 },
  );
});
afterEach(() => store.close());

const turnsOf = (sessionId: string): TurnsLine => ({
  type: 'turns',
  epoch: EPOCH,
  userId: store.identity().userId,
  sessionId,
  tables: [{ table: 'ai_conversations', fields: [sessionId], rows: [] }],
  isLast: true,
});
const END: TurnsLine = { type: 'end', epoch: EPOCH };

interface Fetch {
  lines: (TurnsLine | Error)[];
  /** Storing its turns fails. */
  unstorable?: string;
  isClosed?: () => boolean;
}

function fetchWith({ lines, unstorable, isClosed = () => false }: Fetch) {
  const server = {
    async *turns() {
      for (const line of lines) {
        if (line instanceof Error) throw line;
        yield line;
      }
    },
  } as unknown as ServerConnection;
  const inner = createRowWriter({ store, logger });
  const writer: RowWriter = {
    apply: (tables, ...rest) => {
      if (tables.some(({ fields }) => fields.includes(unstorable ?? ''))) throw new Error('cannot be stored');
      return inner.apply(tables, ...rest);
    },
  };
  return fetchTurns({ store, logger, writer }, { server, sessionIds: SESSIONS, isClosed });
}

const missing = (): string[] => listMissingTurns(store, { since: null, limit: 10 }).toSorted();

it('stores all of them', async () => {
  expect(await fetchWith({ lines: [...SESSIONS.map(turnsOf), END] })).toBeNull();
  expect(missing()).toEqual([]);
});

it('stores those before a session that cannot be stored', async () => {
  const failure = await fetchWith({ lines: [...SESSIONS.map(turnsOf), END], unstorable: SECOND });
  expect(failure).toMatchObject({ code: 'internal' });
  expect(missing()).toEqual([SECOND, THIRD]);
});

it('keeps those that came before the connection was cut', async () => {
  const cut = new TypeError('terminated');
  expect(await fetchWith({ lines: [turnsOf(FIRST), cut] })).toMatchObject({ code: 'sync.offline' });
  expect(missing()).toEqual([SECOND, THIRD]);
});

it('stores nothing after the app was closed, and says so', async () => {
  let asked = 0;
  const isClosed = (): boolean => (asked += 1) > 2;
  const failure = await fetchWith({ lines: [...SESSIONS.map(turnsOf), END], isClosed });
  expect(failure).toMatchObject({ code: 'sync.offline' });
  expect(missing()).toEqual(SESSIONS);
});
