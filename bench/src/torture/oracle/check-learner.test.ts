/** Plants each violation in a valid history and expects the oracle to report it. */
import { describe, expect, it } from 'vitest';
import { checkLearner } from './check-learner.ts';
import type { Refusal } from './check-refusals.ts';
import type { OracleEdit, Row } from './oracle-edit.ts';
import { readProtocolDocument } from './protocol-document.ts';
import {
  aCompletedUnit,
  anEdit,
  aSession,
  aTurn,
  aTurnEdit,
  aWordAttempt,
  aWordList,
  timeAt,
  toRows,
  USER,
} from './test-kit/builders.ts';

const document = readProtocolDocument();

interface History {
  edits: OracleEdit[];
  server: Map<string, Row>;
  base?: Map<string, Row>;
  refusals?: Refusal[];
  wasRestored?: boolean;
}
const checkHistory = ({ edits, server, base = toRows(aSession()), refusals = [], wasRestored = false }: History) =>
  checkLearner({ document, edits, refusals, base, server, wasRestored });

describe('checkLearner', () => {
  it('reads every table of the protocol document', () => {
    expect(document.size).toBe(23);
    expect(document.get('practice_history')?.unit).toEqual({
      rankField: 'status',
      ranks: ['in_progress', 'failed_to_generate_score', 'completed'],
    });
    expect(document.get('ai_conversations')?.fields.get('fitted')?.rule).toBe('minimum');
  });

  it('accepts a valid history', () => {
    const first = aTurn('t1');
    const edits = [
      aTurnEdit(first),
      anEdit({ fields: { duration: 30 } }),
      anEdit({ device: 'b', fields: { duration: 20 } }),
      anEdit({ fields: aCompletedUnit(80) }),
    ];
    const server = toRows(aSession({ ...aCompletedUnit(80), duration: 30 }), first);
    expect(checkHistory({ edits, server })).toEqual([]);
  });

  it('reports a lost turn', () => {
    const edits = [aTurnEdit(aTurn('t1')), aTurnEdit(aTurn('t2', { previousTurnId: 't1' }))];
    expect(checkHistory({ edits, server: toRows(aSession(), aTurn('t1')) })).toEqual([
      expect.stringContaining('ai_conversations t2 is missing'),
    ]);
  });

  it('reports a late transcript that is empty on the server', () => {
    const edits = [
      aTurnEdit(aTurn('t1', { content: '' })),
      anEdit({ table: 'ai_conversations', rowId: 't1', fields: { content: 'late words' } }),
    ];
    expect(checkHistory({ edits, server: toRows(aSession(), aTurn('t1', { content: '' })) })).toEqual([
      expect.stringContaining('content is empty'),
    ]);
  });

  it('reports a lost attempt at a word', () => {
    const edits = [aWordAttempt('b', 'rural', 20), aWordAttempt('a', 'rural', 1)];
    const base = toRows(aWordList({ rural: { before: 1 } }));
    const sound = toRows(aWordList({ rural: { before: 1, a: 1, b: 20 } }));
    expect(checkHistory({ edits, base, server: sound })).toEqual([]);
    const lost = toRows(aWordList({ rural: { before: 1, b: 20 } }));
    expect(checkHistory({ edits, base, server: lost })).toEqual([expect.stringContaining('has 21 attempts, 22')]);
  });

  it('reports an attempt that is counted twice', () => {
    const server = toRows(aWordList({ rural: { a: 2 } }));
    const problems = checkHistory({ edits: [aWordAttempt('a', 'rural', 1)], base: toRows(aWordList({})), server });
    expect(problems).toEqual([expect.stringContaining('only 1 were made')]);
  });

  it('takes any device’s carried count, and reports a changed or deleted one', () => {
    const carried = { kind: 'counted', word: 'rural', countedBy: 'a', attempts: 3, deletedAt: null };
    const edit = anEdit({
      table: 'word_attempts',
      rowId: 'c1',
      creates: true,
      fields: { ...carried, createdAt: timeAt(1) },
    });
    const checkFound = (fields: Row): string[] =>
      checkHistory({
        edits: [edit],
        base: new Map(),
        server: new Map([['word_attempts c1', { ...carried, createdAt: timeAt(2), ...fields }]]),
      });
    expect(checkFound({})).toEqual([]);
    expect(checkFound({ attempts: 4 })).toEqual([expect.stringContaining('attempts of a carried count')]);
    expect(checkFound({ deletedAt: timeAt(3) })).toEqual([expect.stringContaining('is deleted')]);
    expect(checkHistory({ edits: [edit], base: new Map(), server: new Map() })).toEqual([
      expect.stringContaining('word_attempts c1 is missing'),
    ]);
  });

  it('reports a unit with fields of two writers', () => {
    const edits = [
      anEdit({ device: 'a', fields: aCompletedUnit(80), minute: 5 }),
      anEdit({ device: 'b', fields: aCompletedUnit(60), minute: 5 }),
    ];
    const mixed = toRows(aSession({ ...aCompletedUnit(80), summary: '60' }));
    expect(checkHistory({ edits, server: mixed })).toEqual([expect.stringContaining('mixed from several writers')]);
  });

  it('reports a session whose status moved backward', () => {
    const edits = [
      anEdit({ device: 'a', fields: aCompletedUnit(80), minute: 5 }),
      anEdit({ device: 'b', fields: { ...aCompletedUnit(0), status: 'failed_to_generate_score' }, minute: 50 }),
    ];
    const server = toRows(aSession({ ...aCompletedUnit(0), status: 'failed_to_generate_score' }));
    expect(checkHistory({ edits, server })).toEqual([expect.stringContaining('not that of its last writer')]);
  });

  it('reports an older value that replaced a newer one', () => {
    const edits = [
      anEdit({ device: 'a', fields: { difficulty: 'hard' }, minute: 5 }),
      anEdit({ device: 'b', fields: { difficulty: 'intermediate' }, minute: 90 }),
    ];
    expect(checkHistory({ edits, server: toRows(aSession({ difficulty: 'hard' })) })).toEqual([
      expect.stringContaining('difficulty is "hard"'),
    ]);
  });

  it('accepts either of two concurrent values, but not one that was overwritten', () => {
    const edit = anEdit({ device: 'a', fields: { difficulty: 'hard' }, minute: 5 });
    const rival = anEdit({ device: 'b', fields: { difficulty: 'intermediate' }, minute: 5 });
    const server = toRows(aSession({ difficulty: 'hard' }));
    expect(checkHistory({ edits: [edit, rival], server })).toEqual([]);
    const later = { ...rival, madeMs: rival.madeMs + 2_000, seenMs: (edit.settledMs ?? 0) + 1 };
    expect(checkHistory({ edits: [edit, later], server })).toEqual([expect.stringContaining('should be')]);
    expect(checkHistory({ edits: [edit, { ...later, hasBase: false }], server })).toEqual([]);
  });

  it('reports a row that should be deleted, and one that should be revived', () => {
    const deletion = anEdit({ device: 'a', op: 'delete', minute: 60 });
    const alive = toRows(aSession({ duration: 20 }));
    const older = anEdit({ device: 'b', fields: { duration: 20 }, minute: 5 });
    expect(checkHistory({ edits: [older, deletion], server: alive })).toEqual([expect.stringContaining('is alive')]);
    const newer = anEdit({ device: 'b', fields: { duration: 20 }, minute: 90 });
    const deleted = toRows(aSession({ duration: 20, deletedAt: timeAt(60) }));
    expect(checkHistory({ edits: [deletion, newer], server: deleted })).toEqual([
      expect.stringContaining('is deleted'),
    ]);
  });

  it('reports a lowered maximum', () => {
    const edits = [
      anEdit({ device: 'a', fields: { duration: 50 } }),
      anEdit({ device: 'b', fields: { duration: 20 } }),
    ];
    expect(checkHistory({ edits, server: toRows(aSession({ duration: 20 })) })).toEqual([
      expect.stringContaining('the maximum is 50'),
    ]);
  });

  it('reports a lost objective, and one that no device completed', () => {
    const objective = (id: string): Row => ({ objectiveId: id, turnId: 't1', words: 'I did' });
    const edits = [
      anEdit({ device: 'a', fields: { completedObjectives: [objective('o1')] } }),
      anEdit({ device: 'b', fields: { completedObjectives: [objective('o2')] } }),
    ];
    const union = [objective('o1'), objective('o2')];
    expect(checkHistory({ edits, server: toRows(aSession({ completedObjectives: union })) })).toEqual([]);
    const wrong = toRows(aSession({ completedObjectives: [objective('o2'), objective('o3')] }));
    expect(checkHistory({ edits, server: wrong })).toEqual([
      expect.stringContaining('objective o1 is lost'),
      expect.stringContaining('no device completed'),
    ]);
  });

  it('reports a row that no device made, and one that disappeared', () => {
    const problems = checkHistory({ edits: [], server: toRows(aTurn('t9')) });
    expect(problems).toEqual([expect.stringContaining('is gone'), expect.stringContaining('no device made it')]);
  });

  it('reports a refusal that does not show all content', () => {
    const edit = anEdit({ fields: { summary: 'mine' } });
    const refusal = {
      edit,
      code: 'conflict',
      fields: {},
      absorbedFields: new Set<string>(),
      hasOldAppDuplicate: false,
    };
    expect(checkHistory({ edits: [edit], server: toRows(aSession()), refusals: [refusal] })).toEqual([
      expect.stringContaining('was refused: conflict'),
      expect.stringContaining('without its summary'),
    ]);
  });

  it('reports two open coach assignments', () => {
    const assignment = (id: string): Row => ({
      createdAt: timeAt(0),
      updatedAt: timeAt(0),
      syncVersion: 1,
      deletedAt: null,
      assignmentId: id,
      userId: USER,
      agentId: 'c',
      assignmentStartDate: timeAt(1),
      assignmentEndDate: null,
    });
    const rows = ['a1', 'a2'].map((id): [string, Row] => [`coach_assignment_history ${id}`, assignment(id)]);
    expect(checkHistory({ edits: [], base: new Map(rows), server: new Map(rows) })).toEqual([
      expect.stringContaining('2 assignments of a coach are open'),
    ]);
  });

  it('reports a missing turn of a conversation from an old app', () => {
    const conversation = ['t1', 't2'].map((turnId) => ({
      role: 'coach',
      turnId,
      at: timeAt(1),
      text: 'Hello',
      node: null,
      kind: 'line',
    }));
    const edit = anEdit({ fields: { entireConversation: conversation } });
    const turn = aTurn('t1', { role: 'coach', content: 'Hello', kind: 'line', mode: null });
    expect(checkHistory({ edits: [edit], server: toRows(aSession(), turn) })).toEqual([
      expect.stringContaining('ai_conversations t2 is missing'),
    ]);
  });
});
