import { describe, expect, it } from 'vitest';
import { formatHybridTime } from './hybrid-clock.ts';
import { correctHybridTime } from './correct-clock.ts';
import { type ClockedRow, isDeletedBy, mergeEdit, mergeCopies } from './merge-row.ts';

const P = '00000000-0000-4000-8000-00000000000a';
const Q = '00000000-0000-4000-8000-00000000000b';
const at = (seconds: number, deviceId = P, counter = 0): string =>
  formatHybridTime({ ms: 1_763_460_000_000 + seconds * 1_000, counter, deviceId });

const OUTCOME = {
  score: null,
  accuracyScore: null,
  fluencyScore: null,
  prosodyScore: null,
  completenessScore: null,
  pronScore: null,
  wordsScore: null,
  feedback: null,
  summary: null,
};

const session = (
  values: Record<string, unknown> = {},
  clocks: Record<string, string> = { '*': at(0) },
): ClockedRow => ({
  values: {
    id: 'a session',
    status: 'in_progress',
    ...OUTCOME,
    duration: 10,
    completedObjectives: [],
    difficulty: 'easy',
    pausedAt: null,
    deletedAt: null,
    ...values,
  },
  clocks,
});

const objective = (objectiveId: string) => ({ objectiveId, turnId: 'a turn', words: 'words' });
const COMPLETED = { ...OUTCOME, status: 'completed', score: 91, summary: 'Well done' };
const FAILED = { ...OUTCOME, status: 'failed_to_generate_score' };

interface EditOptions {
  time: string;
  hasSeenRow?: boolean;
  isNewest?: boolean;
}

function edit(
  row: ClockedRow,
  fields: Record<string, unknown>,
  { time, hasSeenRow = false, isNewest = true }: EditOptions,
): ClockedRow {
  const merged = mergeEdit('practiceHistory', row, { op: 'upsert', fields, at: time, hasSeenRow, isNewest });
  return merged === null ? row : { values: { ...row.values, ...merged.changes }, clocks: merged.clocks };
}

describe('mergeEdit', () => {
  it('lets the later edit win per field', () => {
    const row = edit(session(), { difficulty: 'hard' }, { time: at(10, Q) });
    expect(edit(row, { difficulty: 'intermediate' }, { time: at(5) }).values['difficulty']).toBe('hard');
    expect(edit(row, { difficulty: 'intermediate' }, { time: at(15) }).values['difficulty']).toBe('intermediate');
  });

  it('accepts an edit of the current row even if the device’s clock is behind', () => {
    const row = edit(session(), { difficulty: 'hard' }, { time: at(1_000, Q) });
    const after = edit(row, { difficulty: 'easy' }, { time: at(1), hasSeenRow: true });
    expect(after.values['difficulty']).toBe('easy');
    expect(edit(after, { difficulty: 'hard' }, { time: at(1_000, Q) }).values['difficulty']).toBe('easy');
  });

  it('accepts a later edit of the same device even if its clock went back', () => {
    const row = edit(session(), { difficulty: 'hard' }, { time: at(100) });
    expect(edit(row, { difficulty: 'easy' }, { time: at(1) }).values['difficulty']).toBe('easy');
  });

  it('leaves a later edit of the same device alone when an older one is sent again', () => {
    const row = edit(session(), { difficulty: 'hard' }, { time: at(100) });
    const again = edit(row, { difficulty: 'easy' }, { time: at(50), isNewest: false });
    expect(again.values['difficulty']).toBe('hard');
    const deletion = { op: 'delete' as const, fields: {}, at: at(50), hasSeenRow: false };
    expect(mergeEdit('practiceHistory', row, { ...deletion, isNewest: false })).toBeNull();
    expect(mergeEdit('practiceHistory', row, { ...deletion, isNewest: true })).not.toBeNull();
  });

  it.each([
    { name: 'a field that only grows', row: session({ duration: 50 }), fields: { duration: 20 } },
    { name: 'a unit of a lower rank', row: session(COMPLETED), fields: FAILED },
  ])('keeps an edit without changes over an older deletion: $name', ({ row, fields }) => {
    const remove = (from: ClockedRow): ClockedRow => {
      const merged = mergeEdit('practiceHistory', from, {
        op: 'delete',
        fields: {},
        at: at(10),
        hasSeenRow: false,
        isNewest: true,
      });
      return merged === null ? from : { values: { ...from.values, deletedAt: 'then' }, clocks: merged.clocks };
    };
    const later = { time: at(20, Q) };
    expect(isDeletedBy(remove(edit(row, fields, later)).clocks)).toBe(false);
    expect(isDeletedBy(edit(remove(row), fields, later).clocks)).toBe(false);
    expect(isDeletedBy(remove(edit(row, fields, { time: at(5, Q) })).clocks)).toBe(true);
    expect(edit(row, fields, later).values).toEqual(row.values);
  });

  it('never reopens a completed session, and keeps its scores together', () => {
    const completed = edit(session(), COMPLETED, { time: at(10) });
    expect(edit(completed, FAILED, { time: at(20, Q) }).values).toMatchObject(COMPLETED);
    const failed = edit(session(), FAILED, { time: at(20, Q) });
    expect(edit(failed, COMPLETED, { time: at(10) }).values).toMatchObject(COMPLETED);
  });

  it('takes all scores from one device when two completed a session', () => {
    const other = { ...COMPLETED, score: 40, prosodyScore: 30, summary: null };
    const one = edit(edit(session(), COMPLETED, { time: at(10) }), other, { time: at(20, Q) });
    const two = edit(edit(session(), other, { time: at(20, Q) }), COMPLETED, { time: at(10) });
    expect(one.values).toMatchObject(other);
    expect(two.values).toEqual(one.values);
  });

  it('keeps all objectives and the longer duration, and ends a finished pause', () => {
    const one = edit(session(), { completedObjectives: [objective('a')], duration: 30 }, { time: at(10) });
    const two = edit(
      one,
      { completedObjectives: [objective('b')], duration: 20, pausedAt: new Date() },
      { time: at(5, Q) },
    );
    expect(two.values).toMatchObject({ completedObjectives: [objective('a'), objective('b')], duration: 30 });
    expect(edit(two, COMPLETED, { time: at(6) }).values['pausedAt']).toBeNull();
  });

  it('fills in late words but never replaces existing ones', () => {
    const turn: ClockedRow = { values: { content: '', fitted: true, deletedAt: null }, clocks: { '*': at(0) } };
    const merge = (row: ClockedRow, fields: Record<string, unknown>, time: string) =>
      mergeEdit('aiConversations', row, { op: 'upsert', fields, at: time, hasSeenRow: false, isNewest: true });
    expect(merge(turn, { content: 'Good morning' }, at(-5, Q))?.changes).toEqual({ content: 'Good morning' });
    const said = { ...turn, values: { ...turn.values, content: 'Good morning' } };
    expect(merge(said, { content: 'Good evening' }, at(50, Q))?.changes).toEqual({});
    expect(merge(said, { fitted: false }, at(-5, Q))?.changes).toEqual({ fitted: false });
  });

  it('keeps a deletion that an older one follows, and with it an edit between the two', () => {
    const remove = (row: ClockedRow, time: string): ClockedRow => {
      const merged = mergeEdit('practiceHistory', row, {
        op: 'delete',
        fields: {},
        at: time,
        hasSeenRow: false,
        isNewest: true,
      });
      return merged === null ? row : { values: { ...row.values, deletedAt: 'then' }, clocks: merged.clocks };
    };
    const twice = remove(remove(session(), at(30)), at(10, Q));
    expect(twice.clocks['deletedAt']).toBe(at(30));
    expect(isDeletedBy(edit(twice, { difficulty: 'hard' }, { time: at(20, Q) }).clocks)).toBe(true);
  });

  it('remembers a late edit whose unit an older one of a greater rank replaces', () => {
    const failed = edit(session(), FAILED, { time: at(30) });
    const completed = edit(failed, COMPLETED, { time: at(10, Q) });
    expect(completed.values).toMatchObject({ status: 'completed', score: 91 });
    const deletion = { op: 'delete' as const, fields: {}, at: at(20, Q), hasSeenRow: false, isNewest: true };
    expect(mergeEdit('practiceHistory', completed, deletion)).toBeNull();
    const copies = mergeCopies('practiceHistory', failed, edit(session(), COMPLETED, { time: at(10, Q) }));
    expect(copies.values).toMatchObject({ status: 'completed', score: 91 });
    expect(mergeEdit('practiceHistory', { values: copies.values, clocks: copies.clocks }, deletion)).toBeNull();
  });

  it('revives a deleted row when the edit is newer', () => {
    const deletion = mergeEdit('practiceHistory', session(), {
      op: 'delete',
      fields: {},
      at: at(10),
      hasSeenRow: false,
      isNewest: true,
    });
    const deleted: ClockedRow = {
      values: { ...session().values, deletedAt: new Date() },
      clocks: deletion?.clocks ?? {},
    };
    const older = mergeEdit('practiceHistory', deleted, {
      op: 'upsert',
      fields: { difficulty: 'hard' },
      at: at(5, Q),
      hasSeenRow: false,
      isNewest: true,
    });
    expect(older?.clocks['deletedAt']).toBe(at(10));
    expect(edit(deleted, { difficulty: 'hard' }, { time: at(20, Q) }).clocks['difficulty']).toBe(at(20, Q));
  });
});

describe('word list', () => {
  const word = (attempts: number, lastPracticedAt: string) => ({
    word: 'delay',
    ipa: 'dɪleɪ',
    attempts,
    meanAccuracy: 50,
    worstPhonemes: [],
    lastPracticedAt,
    due: null,
    stability: null,
    difficulty: null,
    counts: { phone: { attempts, meanAccuracy: 50 } },
  });
  const list: ClockedRow = {
    values: { words: [word(1, '2026-11-20T10:00:00.000Z')], deletedAt: null },
    clocks: { '*': at(0) },
  };
  const send = (entry: ReturnType<typeof word>) =>
    mergeEdit('pronunciationImprovementSummary', list, {
      op: 'upsert',
      fields: { words: [entry] },
      at: at(5),
      hasSeenRow: true,
      isNewest: true,
    });

  it('is exact only if it contains the device’s entries unchanged', () => {
    expect(send(word(2, '2026-11-21T10:00:00.000Z'))?.isExact).toBe(true);
    expect(send(word(2, '2026-11-19T10:00:00.000Z'))?.isExact).toBe(false);
  });
});

describe('mergeCopies', () => {
  const one = edit(edit(session(), COMPLETED, { time: at(10) }), { difficulty: 'hard' }, { time: at(30) });
  const two = edit(
    edit(session(), FAILED, { time: at(20, Q) }),
    { difficulty: 'easy', duration: 99 },
    { time: at(15, Q) },
  );

  it('is commutative, with each field by its own time', () => {
    const merged = mergeCopies('practiceHistory', one, two);
    expect(merged.values).toMatchObject({ ...COMPLETED, difficulty: 'hard', duration: 99 });
    const other = mergeCopies('practiceHistory', two, one);
    expect({ ...other.values, completedObjectives: [] }).toEqual({ ...merged.values, completedObjectives: [] });
    expect(other.clocks).toEqual(merged.clocks);
  });

  it('never takes a status without its outcome', () => {
    const statusOnly: ClockedRow = { values: { status: 'completed' }, clocks: { '*': at(40, Q) } };
    const merged = mergeCopies('practiceHistory', session(), statusOnly);
    expect(merged.values['status']).toBe(session().values['status']);
  });

  it('is idempotent', () => {
    const merged = mergeCopies('practiceHistory', one, two);
    expect(mergeCopies('practiceHistory', merged, two)).toEqual(merged);
    expect(mergeCopies('practiceHistory', merged, one)).toEqual(merged);
  });

  it('deletes the row when the deletion is later than every edit', () => {
    const deleted = { ...one, clocks: { ...one.clocks, deletedAt: at(25) } };
    expect(mergeCopies('practiceHistory', one, deleted).isDeleted).toBe(false);
    expect(
      mergeCopies('practiceHistory', session(), { ...session(), clocks: { '*': at(0), deletedAt: at(25) } }).isDeleted,
    ).toBe(true);
  });
});

describe('correctHybridTime', () => {
  it('corrects a clock that is two days ahead or behind', () => {
    const twoDaysMs = 2 * 24 * 3_600_000;
    expect(correctHybridTime(at(172_800), -twoDaysMs)).toBe(at(0));
    expect(correctHybridTime(at(-172_800), twoDaysMs)).toBe(at(0));
  });

  it('ignores differences within a request’s duration', () => {
    expect(correctHybridTime(at(1), -1_500)).toBe(at(1));
  });
});
