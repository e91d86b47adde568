/** Plants each violation in a valid history and expects the oracle to report it. */
import { describe, expect, it } from 'vitest';
import { checkLearner } from './check-learner.ts';
import { checkReplica, type ReplicaCase } from './check-replica.ts';
import { buildConversation } from './conversation.ts';
import type { OracleEdit, Row } from './oracle-edit.ts';
import { readProtocolDocument } from './protocol-document.ts';
import type { Refusal } from './check-refusals.ts';

const document = readProtocolDocument();
const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 10, 1);
const USER = '00000000-0000-7000-8000-000000000001';
const SESSION = '00000000-0000-7000-8000-000000000002';
const timeAt = (minute: number): string => new Date(START_MS + minute * MINUTE_MS).toISOString();

let editCount = 0;
interface EditOptions extends Partial<Omit<OracleEdit, 'fields'>> {
  fields?: Record<string, unknown>;
  minute?: number;
}

function anEdit({ fields = {}, minute = editCount, ...rest }: EditOptions = {}): OracleEdit {
  editCount += 1;
  const trueMs = START_MS + minute * MINUTE_MS;
  return {
    device: 'a',
    order: editCount,
    table: 'practice_history',
    rowId: SESSION,
    op: 'upsert',
    creates: false,
    fields: new Map(Object.entries(fields).map(([name, value]) => [name, { value, isSure: true }])),
    attempts: [],
    trueMs,
    madeMs: trueMs,
    settledMs: trueMs + 1_000,
    seenMs: 0,
    isSure: true,
    hasBase: true,
    ...rest,
  };
}

const aSession = (fields: Row = {}): Row => ({
  createdAt: timeAt(0),
  updatedAt: timeAt(0),
  syncVersion: 1,
  deletedAt: null,
  id: SESSION,
  practiceId: 'p',
  userId: USER,
  agentId: 'c',
  feedback: null,
  score: null,
  accuracyScore: null,
  fluencyScore: null,
  prosodyScore: null,
  completenessScore: null,
  pronScore: null,
  wordsScore: null,
  completedObjectives: [],
  duration: 10,
  communicationStyle: 'text',
  status: 'in_progress',
  summary: null,
  difficulty: 'easy',
  pausedAt: null,
  ...fields,
});

const UNIT = {
  feedback: null,
  accuracyScore: null,
  fluencyScore: null,
  prosodyScore: null,
  completenessScore: null,
  pronScore: null,
  wordsScore: null,
};
const aCompletedUnit = (score: number): Record<string, unknown> => ({
  ...UNIT,
  status: 'completed',
  score,
  summary: `${score}`,
});

const aTurn = (id: string, fields: Row = {}): Row => ({
  createdAt: timeAt(0),
  updatedAt: timeAt(0),
  syncVersion: 1,
  deletedAt: null,
  conversationId: id,
  interactionId: 'i',
  userId: USER,
  courseId: null,
  content: `says ${id}`,
  role: 'learner',
  sessionId: SESSION,
  previousTurnId: null,
  saidAt: timeAt(1),
  node: null,
  kind: null,
  mode: 'typed',
  fitted: true,
  recordingId: null,
  hintLevel: 0,
  assessment: null,
  ...fields,
});

const aTurnEdit = (turn: Row, options: EditOptions = {}): OracleEdit => {
  const { updatedAt: _, syncVersion: __, deletedAt: ___, ...fields } = turn;
  return anEdit({
    table: 'ai_conversations',
    rowId: String(turn['conversationId']),
    creates: true,
    fields,
    ...options,
  });
};

const toRows = (...rows: Row[]): Map<string, Row> =>
  new Map(
    rows.map((row) => {
      const table = 'conversationId' in row ? 'ai_conversations' : 'words' in row ? WORDS : 'practice_history';
      return [`${table} ${String(row['conversationId'] ?? row['id'])}`, row];
    }),
  );

const WORDS = 'pronunciation_improvement_summary';
const aWordList = (attempts: Record<string, Record<string, number>>): Row => ({
  createdAt: timeAt(0),
  updatedAt: timeAt(0),
  syncVersion: 1,
  deletedAt: null,
  id: USER,
  userId: USER,
  words: Object.entries(attempts).map(([word, counts]) => ({
    word,
    ipa: '',
    attempts: Object.values(counts).reduce((sum, count) => sum + count, 0),
    meanAccuracy: 50,
    worstPhonemes: [],
    lastPracticedAt: timeAt(9),
    due: null,
    stability: null,
    difficulty: null,
    counts: Object.fromEntries(
      Object.entries(counts).map(([device, count]) => [device, { attempts: count, meanAccuracy: 50 }]),
    ),
  })),
});
const aWordAttempt = (device: string, word: string, attempts: number): OracleEdit =>
  anEdit({
    table: WORDS,
    rowId: USER,
    device,
    attempts: [{ word, attempts, meanAccuracy: 50, lastPracticedAt: timeAt(9), isTotal: false }],
  });

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

describe('checkReplica', () => {
  const turns = [
    aTurn('t1', { saidAt: timeAt(1) }),
    aTurn('t2', { saidAt: timeAt(2), previousTurnId: 't1' }),
    aTurn('t3', { saidAt: timeAt(3), previousTurnId: 't1' }),
    aTurn('t4', { saidAt: timeAt(4), previousTurnId: 't2' }),
  ];
  const rows = toRows(aSession(), ...turns);
  const server = { rows, catalogue: new Map([['courses c', 1]]) };
  const aReplica = (changed: Partial<ReplicaCase> = {}): ReplicaCase => ({
    rows,
    catalogue: new Map(server.catalogue),
    conversations: new Map([[SESSION, buildConversation(turns)]]),
    waiting: 0,
    damage: [],
    ...changed,
  });
  const check = (changed: Partial<ReplicaCase>): string[] => checkReplica(document, aReplica(changed), server, USER);

  it('accepts an equal replica and numbers the second continuation', () => {
    expect(check({})).toEqual([]);
    const order = buildConversation(turns).map(({ turnId, continuation }) => [turnId, continuation]);
    expect(order).toEqual([
      ['t1', undefined],
      ['t2', undefined],
      ['t4', undefined],
      ['t3', 1],
    ]);
  });

  it('reports a diverged row, a missing row and an extra row', () => {
    const other = new Map(rows).set(`practice_history ${SESSION}`, aSession({ duration: 11 }));
    expect(check({ rows: other })).toEqual([expect.stringContaining('differs in practice_history')]);
    expect(check({ rows: toRows(aSession(), ...turns.slice(1)) })).toEqual([
      expect.stringContaining('lacks ai_conversations t1'),
    ]);
    expect(check({ rows: new Map([...rows, ...toRows(aTurn('t5'))]) })).toEqual([expect.stringContaining('has')]);
  });

  it('reports differing field times', () => {
    const withClocks = (clocks: Record<string, string>): Map<string, Row> =>
      new Map(rows).set(`practice_history ${SESSION}`, aSession({ fieldClocks: clocks }));
    const timed = { rows: withClocks({ '*': 'x', duration: 'y' }), catalogue: server.catalogue };
    const found = aReplica({ rows: withClocks({ '*': 'x' }) });
    expect(checkReplica(document, found, timed, USER)).toEqual([expect.stringContaining('fieldClocks')]);
  });

  it('reports duplicate, missing, reordered and changed turns', () => {
    const [first, second, ...others] = buildConversation(turns);
    if (first === undefined || second === undefined) throw new Error('the conversation has no turns');
    const shows = (...conversation: Row[]): string[] => check({ conversations: new Map([[SESSION, conversation]]) });
    expect(shows(first, first, second, ...others)).toEqual([expect.stringContaining('twice')]);
    expect(shows(first, ...others)).toEqual([expect.stringContaining('lacks turn t2')]);
    expect(shows(second, first, ...others)).toEqual([expect.stringContaining('is in the order')]);
    expect(shows({ ...first, text: 'other' }, second, ...others)).toEqual([expect.stringContaining('differs in text')]);
  });

  it('reports pending changes, another catalogue and a foreign row', () => {
    expect(check({ waiting: 2 })).toEqual([expect.stringContaining('2 changes in its outbox')]);
    expect(check({ catalogue: new Map() })).toEqual([expect.stringContaining('another catalogue')]);
    const foreign = new Map([...rows].map(([key, row]) => [key, { ...row, userId: 'other' }]));
    expect(check({ rows: foreign })[0]).toContain('of another learner');
  });
});
