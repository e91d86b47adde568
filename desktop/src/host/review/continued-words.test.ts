/** Cards and day totals are updated with each answer and must equal a replay of the whole log. */
import type { TableRows } from '@parley/contract';
import { totalsOfDay, type WordAttempt } from '@parley/domain';
import { projectWord } from '@parley/domain/test-kit/project-word';
import fc from 'fast-check';
import { eq, isNull } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { updateOwnWords } from '../store/rows/project-words.ts';
import { dayTotals } from '../store/schema/device-tables.ts';
import { removeRow, type Store, wordAttempts, wordCards } from '../store/index.ts';
import { createRowWriter, type RowWriter } from '../sync/pull/apply-rows.ts';
import { openTestStore } from '../test-kit/open-test-store.ts';
import { addToLog, aLogRow } from './record-attempts.ts';

const START = Date.parse('2026-11-18T10:00:00.000Z');
const HOUR_MS = 3_600_000;
const quiet = (): void => undefined;

let store: Store;
let writer: RowWriter;
beforeEach(async () => {
  store = await openTestStore();
  writer = createRowWriter({ store, logger: { info: quiet, warn: quiet, error: quiet } });
});
afterEach(() => store.close());

interface Said {
  word: string;
  /** Hours after the start. */
  hour: number;
  accuracy: number;
}

const aRow = ({ word, hour, accuracy }: Said) => ({
  ...aLogRow(store, new Date(START + hour * HOUR_MS)),
  kind: 'attempt' as const,
  word,
  accuracy,
  ipa: 'x',
  phonemes: [['θ', accuracy, null]] satisfies WordAttempt['phonemes'],
  sentence: `I said ${word} at ${hour}.`,
});

/** The rows as the server sends them; those with an id are already here. */
function fromServer(rows: readonly (Said & { id?: string; isDeleted?: boolean })[]): TableRows {
  const at = new Date(START).toISOString();
  const sent = rows.map(({ id, isDeleted = false, ...one }) => {
    const row = { ...aRow(one), createdAt: at, updatedAt: at, syncVersion: 1 };
    return { ...row, id: id ?? row.id, at: row.at.toISOString(), deletedAt: isDeleted ? at : null };
  });
  return { table: 'word_attempts', fields: Object.keys(sent[0] ?? {}), rows: sent.map((row) => Object.values(row)) };
}

const liveRows = (): WordAttempt[] => store.db.select().from(wordAttempts).where(isNull(wordAttempts.deletedAt)).all();

function expectProjections(): void {
  const byWord = Map.groupBy(liveRows(), ({ word }) => word);
  const cards = store.db.select().from(wordCards).all();
  expect(new Map(cards.map(({ word, card }) => [word, card]))).toEqual(
    new Map([...byWord].map(([word, rows]) => [word, projectWord(rows)])),
  );
  const byDay = Map.groupBy(liveRows(), ({ day }) => day);
  for (const { day, totals } of store.db.select().from(dayTotals).all())
    expect(totals).toEqual(totalsOfDay(byDay.get(day) ?? []));
}

const said = fc.record({
  word: fc.constantFrom('think', 'month'),
  hour: fc.integer({ min: 0, max: 60 }),
  accuracy: fc.integer({ min: 0, max: 100 }),
});
const group = fc.array(said, { minLength: 1, maxLength: 3 });

describe('cards and day totals', () => {
  it('equal a replay of the log, in any order of events', () => {
    const step = fc.record({
      kind: fc.constantFrom('say', 'receive', 'delete'),
      rows: group,
      /** Selects one of the rows that are here: the row that is deleted, or that arrives again with the new ones. */
      which: fc.nat(),
      isDeleted: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        for (const { kind, rows, which, isDeleted } of steps) {
          const here = liveRows();
          const known = here[which % (here.length + 3)];
          if (kind === 'say') addToLog(store, rows.map(aRow));
          else if (kind === 'receive') {
            const { id, word, at, accuracy } = known ?? {};
            const hour = ((at?.getTime() ?? 0) - START) / HOUR_MS;
            const again = id === undefined ? [] : [{ id, word: word ?? '', hour, accuracy: accuracy ?? 0, isDeleted }];
            store.transaction(() => writer.apply([fromServer([...rows, ...again])]));
          } else if (known !== undefined)
            store.transaction(() => {
              removeRow(store, 'wordAttempts', known.id);
              updateOwnWords(store, { words: [known.word], days: [known.day] });
            });
          expectProjections();
        }
        store.db.delete(wordAttempts).run();
        store.db.delete(wordCards).run();
        store.db.delete(dayTotals).run();
      }),
      { numRuns: 60 },
    );
  });

  it('are computed again when an app that does not know states has written a card', () => {
    addToLog(store, [aRow({ word: 'think', hour: 0, accuracy: 30 })]);
    const [known] = store.db.select().from(wordCards).all();
    addToLog(store, [aRow({ word: 'think', hour: 1, accuracy: 80 })]);
    // Such an app updates the card but not its state.
    store.db
      .update(wordCards)
      .set({ state: known?.state ?? null })
      .where(eq(wordCards.word, 'think'))
      .run();
    addToLog(store, [aRow({ word: 'think', hour: 2, accuracy: 90 })]);
    expectProjections();
  });

  it('are computed again when a stored state cannot be read', () => {
    addToLog(store, [aRow({ word: 'think', hour: 0, accuracy: 30 })]);
    store.sqlite.prepare("UPDATE word_cards SET state = json('{}')").run();
    addToLog(store, [aRow({ word: 'think', hour: 1, accuracy: 90 })]);
    expectProjections();
  });

  it('take no longer for a word that was said ten thousand times', () => {
    const many = Array.from({ length: 10_000 }, (_, hour) => aRow({ word: 'the', hour: hour / 100, accuracy: 90 }));
    const stored = { syncVersion: 1, fieldClocks: {}, deletedAt: null };
    store.transaction(() => {
      for (const row of many)
        store.db
          .insert(wordAttempts)
          .values({ ...row, ...stored, createdAt: row.at, updatedAt: row.at })
          .run();
    });
    updateOwnWords(store, { words: ['the'], days: [] });
    const startedAt = performance.now();
    addToLog(store, [aRow({ word: 'the', hour: 200, accuracy: 80 })]);
    const continuedMs = performance.now() - startedAt;
    const replayedFrom = performance.now();
    updateOwnWords(store, { words: ['the'], days: [] });
    expect(continuedMs).toBeLessThan((performance.now() - replayedFrom) / 2);
    expectProjections();
  });
});
