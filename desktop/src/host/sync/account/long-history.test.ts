/** Moving a long history, where the work per row must stay small, because the app is blocked meanwhile. */
import { DeviceId, LearnerId } from '@parley/domain';
import { uuidv7 } from 'uuidv7';
import { expect, it, vi } from 'vitest';
import { aClock, aDataFolder, openHost } from '../../test-kit/open-host.ts';
import { openTestStore } from '../../test-kit/open-test-store.ts';
import { inDatabase } from '../../test-kit/read-database.ts';
import { seedSessions } from '../../test-kit/seed-sessions.ts';
import type { Store } from '../../store/index.ts';
import { adoptAccount } from './adopt-account.ts';
import { leaveServer } from './leave-server.ts';

const clock = aClock();

const anAccount = () => ({
  userId: LearnerId.parse(uuidv7()),
  deviceId: DeviceId.parse(uuidv7()),
  isRegistered: true,
  isNewDevice: true,
});

/** A learner with sessions and as many scored words, all from one day, that the server knows. */
async function aLearner(sessions: number, { email }: { email: string | null }): Promise<Store> {
  const dataDir = aDataFolder();
  await (await openHost({ dataDir, clock })).host.close();
  seedSessions(dataDir, sessions);
  inDatabase(dataDir, (sqlite) => {
    sqlite.exec(
      `INSERT INTO word_attempts (id, user_id, kind, at, day, word, ipa, accuracy, phonemes, created_at, updated_at, sync_version)
         SELECT replace(id, '-8', '-9'), user_id, 'attempt', created_at, '2026-11-01', 'parcel', 'x', 80, '[]', created_at, created_at, 1
         FROM practice_history`,
    );
    sqlite.prepare('UPDATE users SET email = ?').run(email);
    sqlite.exec('UPDATE sync_state SET is_registered = 1');
  });
  return openTestStore(dataDir, clock);
}

const MOVES: [string, string | null, (store: Store) => Promise<void>][] = [
  ['signs in for the first time', null, async (store) => adoptAccount(store, anAccount())],
  [
    'signs in to the account from which all of it was imported',
    null,
    async (store) => {
      const account = anAccount();
      for (const table of ['practice_history', 'word_attempts'])
        store.sqlite
          .prepare(
            `INSERT INTO imported_rows (row_id, from_user_id, original_id) SELECT id, ?, 'a' || id FROM ${table}`,
          )
          .run(account.userId);
      adoptAccount(store, account);
      expect(store.sqlite.prepare("SELECT count(*) FROM practice_history WHERE id NOT LIKE 'a%'").pluck().get()).toBe(
        0,
      );
    },
  ],
  [
    'leaves their server and returns',
    'ada@example.com',
    async (store) => {
      const { userId } = store.identity();
      await leaveServer(store, { isMoved: false });
      adoptAccount(store, { ...anAccount(), userId });
    },
  ],
  [
    'is followed by another one and returns',
    'ada@example.com',
    async (store) => {
      const { userId } = store.identity();
      adoptAccount(store, { ...anAccount(), hasServerAll: true });
      adoptAccount(store, { ...anAccount(), userId });
    },
  ],
];

it.each(MOVES)('prepares no statement for a single row when a learner %s', async (_what, email, move) => {
  const prepared: number[] = [];
  for (const sessions of [20, 200]) {
    const store = await aLearner(sessions, { email });
    const prepare = vi.spyOn(store.sqlite, 'prepare');
    await move(store);
    prepared.push(prepare.mock.calls.length);
    store.close();
  }
  const [few, many] = prepared;
  expect(many).toBe(few);
});
