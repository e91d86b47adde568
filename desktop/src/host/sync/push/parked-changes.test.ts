/** Changes that are parked for another learner; a shared computer may have hundreds of thousands of them. */
import type { TableRows } from '@parley/contract';
import { NOTHING_MEASURED } from '@parley/domain/test-kit/word-attempt';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openTestStore } from '../../test-kit/open-test-store.ts';
import { rebuildWords, stateOfWord, type Store } from '../../store/index.ts';
import { createRowWriter } from '../pull/apply-rows.ts';
import { lastAnsweredSeq } from '../pull/pull-pages.ts';
import { countWaitingChanges, idsOfSent, pushBatch } from './push-changes.ts';

const AT = '2026-11-18T10:00:00.000Z';
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

let store: Store;
beforeEach(async () => {
  store = await openTestStore();
  store.sqlite
    .prepare(
      `INSERT INTO outbox (mutation_id, table_name, row_id, op, fields, creates, at, state, put_away_for)
       VALUES ('parked', 'practice_history', ?, 'upsert', '{"duration":1}', 0, '0001', 'waiting', 'another learner')`,
    )
    .run(uuidv7());
});
afterEach(() => store.close());

const anAttempt = () => ({
  id: uuidv7(),
  userId: store.identity().userId,
  kind: 'attempt',
  at: AT,
  day: '2026-11-18',
  word: 'banana',
  ...NOTHING_MEASURED,
  ipa: 'x',
  accuracy: 80,
  sessionId: null,
  turnId: null,
  createdAt: AT,
  updatedAt: AT,
  deletedAt: null,
  syncVersion: 1,
  fieldClocks: {},
});

function pull(count: number): void {
  const rows = Array.from({ length: count }, anAttempt);
  const fields = Object.keys(anAttempt());
  const page = { table: 'word_attempts', fields, rows: rows.map((row) => Object.values(row)) } as TableRows;
  store.transaction(() => createRowWriter({ store, logger }).apply([page]));
}

it('parked changes do not keep a pulled attempt from continuing its word', () => {
  pull(3);
  rebuildWords(store);
  // If a word were recomputed from all its rows, these would be missing.
  store.sqlite.exec('DELETE FROM word_attempts WHERE rowid < 3');
  pull(1);
  expect(stateOfWord(store, 'banana')?.logged.attempts).toBe(4);
});

it('parked changes are ignored by the queries of each sync round', async () => {
  const prepare = vi.spyOn(store.sqlite, 'prepare');
  countWaitingChanges(store);
  lastAnsweredSeq(store);
  idsOfSent(store);
  const server = { push: () => Promise.reject(new Error('nothing is sent')) };
  const attempted = new Set<string>();
  const writer = createRowWriter({ store, logger });
  expect(await pushBatch({ store, logger, server, writer, attempted, renumbered: new Set() }, 10)).toBe('nothing');
  const reads = prepare.mock.calls.map(([text]) => text).filter((text) => /^select .* from "outbox"/.test(text));
  expect(reads.length).toBeGreaterThan(3);
  const plans = reads.map((text) => {
    const parameters = [...text.matchAll(/\?/g)].map(() => 0);
    const steps = store.sqlite.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`).all(...parameters);
    return steps.map(({ detail }) => detail).join('; ');
  });
  const isOfOwn = (plan: string): boolean => /outbox_own_index|\(device_seq>\?\)/.test(plan);
  expect(plans.filter((plan) => !isOfOwn(plan))).toEqual([]);
});
