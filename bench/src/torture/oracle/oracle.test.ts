/** Each violation is planted in an otherwise sound history, and the oracle has to report it. */
import { describe, expect, it } from 'vitest';
import { checkLearner } from './check-learner.ts';
import { checkReplica, type ReplicaCase } from './check-replica.ts';
import { conversationOf } from './conversation.ts';
import type { OracleEdit, Row } from './edit.ts';
import { readDocument } from './protocol-document.ts';
import type { Refusal } from './refusals.ts';

const document = readDocument();
const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 10, 1);
const USER = '00000000-0000-7000-8000-000000000001';
const SESSION = '00000000-0000-7000-8000-000000000002';
const timeAt = (minute: number): string => new Date(START_MS + minute * MINUTE_MS).toISOString();

let made = 0;
interface EditOptions extends Partial<Omit<OracleEdit, 'fields'>> {
  fields?: Record<string, unknown>;
  minute?: number;
}

function anEdit({ fields = {}, minute = made, ...rest }: EditOptions = {}): OracleEdit {
  made += 1;
  const trueMs = START_MS + minute * MINUTE_MS;
  return {
    device: 'a',
    order: made,
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
const completed = (score: number): Record<string, unknown> => ({
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

const turnEdit = (turn: Row, options: EditOptions = {}): OracleEdit => {
  const { updatedAt: _, syncVersion: __, deletedAt: ___, ...fields } = turn;
  return anEdit({
    table: 'ai_conversations',
    rowId: String(turn['conversationId']),
    creates: true,
    fields,
    ...options,
  });
};

const asRows = (...rows: Row[]): Map<string, Row> =>
  new Map(
    rows.map((row) => {
      const table = 'conversationId' in row ? 'ai_conversations' : 'words' in row ? WORDS : 'practice_history';
      return [`${table} ${String(row['conversationId'] ?? row['id'])}`, row];
    }),
  );

const WORDS = 'pronunciation_improvement_summary';
const wordList = (attempts: Record<string, Record<string, number>>): Row => ({
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
const attempt = (device: string, word: string, attempts: number): OracleEdit =>
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
const problemsOf = ({ edits, server, base = asRows(aSession()), refusals = [], wasRestored = false }: History) =>
  checkLearner({ document, edits, refusals, base, server, wasRestored });

describe('the oracle', () => {
  it('reads every table of the document', () => {
    expect(document.size).toBe(22);
    expect(document.get('practice_history')?.unit).toEqual({
      rankField: 'status',
      ranks: ['in_progress', 'failed_to_generate_score', 'completed'],
    });
    expect(document.get('ai_conversations')?.fields.get('fitted')?.rule).toBe('minimum');
  });

  it('accepts a sound history', () => {
    const first = aTurn('t1');
    const edits = [
      turnEdit(first),
      anEdit({ fields: { duration: 30 } }),
      anEdit({ device: 'b', fields: { duration: 20 } }),
      anEdit({ fields: completed(80) }),
    ];
    const server = asRows(aSession({ ...completed(80), duration: 30 }), first);
    expect(problemsOf({ edits, server })).toEqual([]);
  });

  it('reports a lost turn', () => {
    const edits = [turnEdit(aTurn('t1')), turnEdit(aTurn('t2', { previousTurnId: 't1' }))];
    expect(problemsOf({ edits, server: asRows(aSession(), aTurn('t1')) })).toEqual([
      expect.stringContaining('ai_conversations t2 is missing'),
    ]);
  });

  it('reports a transcript that was filled in and is empty', () => {
    const edits = [
      turnEdit(aTurn('t1', { content: '' })),
      anEdit({ table: 'ai_conversations', rowId: 't1', fields: { content: 'late words' } }),
    ];
    expect(problemsOf({ edits, server: asRows(aSession(), aTurn('t1', { content: '' })) })).toEqual([
      expect.stringContaining('content is empty'),
    ]);
  });

  it('reports a lost attempt at a word', () => {
    const edits = [attempt('b', 'rural', 20), attempt('a', 'rural', 1)];
    const base = asRows(wordList({ rural: { before: 1 } }));
    const sound = asRows(wordList({ rural: { before: 1, a: 1, b: 20 } }));
    expect(problemsOf({ edits, base, server: sound })).toEqual([]);
    const lost = asRows(wordList({ rural: { before: 1, b: 20 } }));
    expect(problemsOf({ edits, base, server: lost })).toEqual([expect.stringContaining('has 21 attempts, 22')]);
  });

  it('reports an attempt that was counted twice', () => {
    const server = asRows(wordList({ rural: { a: 2 } }));
    const problems = problemsOf({ edits: [attempt('a', 'rural', 1)], base: asRows(wordList({})), server });
    expect(problems).toEqual([expect.stringContaining('only 1 were made')]);
  });

  it('reports a unit that is mixed from two writers', () => {
    const edits = [
      anEdit({ device: 'a', fields: completed(80), minute: 5 }),
      anEdit({ device: 'b', fields: completed(60), minute: 5 }),
    ];
    const mixed = asRows(aSession({ ...completed(80), summary: '60' }));
    expect(problemsOf({ edits, server: mixed })).toEqual([expect.stringContaining('mixed from several writers')]);
  });

  it('reports a session that moved backward', () => {
    const edits = [
      anEdit({ device: 'a', fields: completed(80), minute: 5 }),
      anEdit({ device: 'b', fields: { ...completed(0), status: 'failed_to_generate_score' }, minute: 50 }),
    ];
    const server = asRows(aSession({ ...completed(0), status: 'failed_to_generate_score' }));
    expect(problemsOf({ edits, server })).toEqual([expect.stringContaining('not that of its last writer')]);
  });

  it('reports an older value that won', () => {
    const edits = [
      anEdit({ device: 'a', fields: { difficulty: 'hard' }, minute: 5 }),
      anEdit({ device: 'b', fields: { difficulty: 'intermediate' }, minute: 90 }),
    ];
    expect(problemsOf({ edits, server: asRows(aSession({ difficulty: 'hard' })) })).toEqual([
      expect.stringContaining('difficulty is "hard"'),
    ]);
  });

  it('accepts either of two values of the same moment, unless one device had seen the other', () => {
    const edit = anEdit({ device: 'a', fields: { difficulty: 'hard' }, minute: 5 });
    const rival = anEdit({ device: 'b', fields: { difficulty: 'intermediate' }, minute: 5 });
    const server = asRows(aSession({ difficulty: 'hard' }));
    expect(problemsOf({ edits: [edit, rival], server })).toEqual([]);
    const later = { ...rival, madeMs: rival.madeMs + 2_000, seenMs: (edit.settledMs ?? 0) + 1 };
    expect(problemsOf({ edits: [edit, later], server })).toEqual([expect.stringContaining('should be')]);
  });

  it('reports a deleted row that is alive, and one that a newer edit revived', () => {
    const deletion = anEdit({ device: 'a', op: 'delete', minute: 60 });
    const alive = asRows(aSession({ duration: 20 }));
    const older = anEdit({ device: 'b', fields: { duration: 20 }, minute: 5 });
    expect(problemsOf({ edits: [older, deletion], server: alive })).toEqual([expect.stringContaining('is alive')]);
    const newer = anEdit({ device: 'b', fields: { duration: 20 }, minute: 90 });
    const deleted = asRows(aSession({ duration: 20, deletedAt: timeAt(60) }));
    expect(problemsOf({ edits: [deletion, newer], server: deleted })).toEqual([expect.stringContaining('is deleted')]);
  });

  it('reports a maximum that was lowered', () => {
    const edits = [
      anEdit({ device: 'a', fields: { duration: 50 } }),
      anEdit({ device: 'b', fields: { duration: 20 } }),
    ];
    expect(problemsOf({ edits, server: asRows(aSession({ duration: 20 })) })).toEqual([
      expect.stringContaining('the maximum is 50'),
    ]);
  });

  it('reports a lost objective, and one that nobody completed', () => {
    const objective = (id: string): Row => ({ objectiveId: id, turnId: 't1', words: 'I did' });
    const edits = [
      anEdit({ device: 'a', fields: { completedObjectives: [objective('o1')] } }),
      anEdit({ device: 'b', fields: { completedObjectives: [objective('o2')] } }),
    ];
    const union = [objective('o1'), objective('o2')];
    expect(problemsOf({ edits, server: asRows(aSession({ completedObjectives: union })) })).toEqual([]);
    const wrong = asRows(aSession({ completedObjectives: [objective('o2'), objective('o3')] }));
    expect(problemsOf({ edits, server: wrong })).toEqual([
      expect.stringContaining('objective o1 is lost'),
      expect.stringContaining('nobody completed'),
    ]);
  });

  it('reports a row that nobody made, and one that was there and is gone', () => {
    const problems = problemsOf({ edits: [], server: asRows(aTurn('t9')) });
    expect(problems).toEqual([expect.stringContaining('is gone'), expect.stringContaining('nobody made it')]);
  });

  it('reports a refusal without its content', () => {
    const edit = anEdit({ fields: { summary: 'mine' } });
    const refusal = { edit, code: 'conflict', fields: {}, takenOver: new Set<string>(), hasOldRival: false };
    expect(problemsOf({ edits: [edit], server: asRows(aSession()), refusals: [refusal] })).toEqual([
      expect.stringContaining('was refused: conflict'),
      expect.stringContaining('without its summary'),
    ]);
  });

  it('reports two assignments of a coach that are open at once', () => {
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
    expect(problemsOf({ edits: [], base: new Map(rows), server: new Map(rows) })).toEqual([
      expect.stringContaining('2 assignments of a coach are open'),
    ]);
  });

  it('reports a whole conversation of an old app whose turn is not there', () => {
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
    expect(problemsOf({ edits: [edit], server: asRows(aSession(), turn) })).toEqual([
      expect.stringContaining('ai_conversations t2 is missing'),
    ]);
  });
});

describe('the oracle of replicas', () => {
  const turns = [
    aTurn('t1', { saidAt: timeAt(1) }),
    aTurn('t2', { saidAt: timeAt(2), previousTurnId: 't1' }),
    aTurn('t3', { saidAt: timeAt(3), previousTurnId: 't1' }),
    aTurn('t4', { saidAt: timeAt(4), previousTurnId: 't2' }),
  ];
  const rows = asRows(aSession(), ...turns);
  const server = { rows, catalogue: new Map([['courses c', 1]]) };
  const aReplica = (changed: Partial<ReplicaCase> = {}): ReplicaCase => ({
    rows,
    catalogue: new Map(server.catalogue),
    conversations: new Map([[SESSION, conversationOf(turns)]]),
    waiting: 0,
    damage: [],
    ...changed,
  });
  const check = (changed: Partial<ReplicaCase>): string[] => checkReplica(document, aReplica(changed), server, USER);

  it('accepts an equal copy, and numbers the second continuation', () => {
    expect(check({})).toEqual([]);
    const order = conversationOf(turns).map(({ turnId, continuation }) => [turnId, continuation]);
    expect(order).toEqual([
      ['t1', undefined],
      ['t2', undefined],
      ['t4', undefined],
      ['t3', 1],
    ]);
  });

  it('reports a diverged row, a missing row and a row too many', () => {
    const other = new Map(rows).set(`practice_history ${SESSION}`, aSession({ duration: 11 }));
    expect(check({ rows: other })).toEqual([expect.stringContaining('differs in practice_history')]);
    expect(check({ rows: asRows(aSession(), ...turns.slice(1)) })).toEqual([
      expect.stringContaining('lacks ai_conversations t1'),
    ]);
    expect(check({ rows: new Map([...rows, ...asRows(aTurn('t5'))]) })).toEqual([expect.stringContaining('has')]);
  });

  it('reports times of fields that differ', () => {
    const withClocks = (clocks: Record<string, string>): Map<string, Row> =>
      new Map(rows).set(`practice_history ${SESSION}`, aSession({ fieldClocks: clocks }));
    const timed = { rows: withClocks({ '*': 'x', duration: 'y' }), catalogue: server.catalogue };
    const found = aReplica({ rows: withClocks({ '*': 'x' }) });
    expect(checkReplica(document, found, timed, USER)).toEqual([expect.stringContaining('fieldClocks')]);
  });

  it('reports a turn that is twice in the conversation, one that is lost, and a wrong order', () => {
    const [first, second, ...others] = conversationOf(turns);
    if (first === undefined || second === undefined) throw new Error('a conversation without turns');
    const shows = (...conversation: Row[]): string[] => check({ conversations: new Map([[SESSION, conversation]]) });
    expect(shows(first, first, second, ...others)).toEqual([expect.stringContaining('twice')]);
    expect(shows(first, ...others)).toEqual([expect.stringContaining('lacks turn t2')]);
    expect(shows(second, first, ...others)).toEqual([expect.stringContaining('is in the order')]);
    expect(shows({ ...first, text: 'other' }, second, ...others)).toEqual([expect.stringContaining('differs in text')]);
  });

  it('reports changes that wait, another catalogue and a row of another learner', () => {
    expect(check({ waiting: 2 })).toEqual([expect.stringContaining('2 changes in its outbox')]);
    expect(check({ catalogue: new Map() })).toEqual([expect.stringContaining('another catalogue')]);
    const foreign = new Map([...rows].map(([key, row]) => [key, { ...row, userId: 'other' }]));
    expect(check({ rows: foreign })[0]).toContain('of another learner');
  });
});
