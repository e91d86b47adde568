/** Builds edits, and the rows that a server holds after them. */
import type { OracleEdit, Row } from '../oracle-edit.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 10, 1);
export const USER = '00000000-0000-7000-8000-000000000001';
export const SESSION = '00000000-0000-7000-8000-000000000002';
export const timeAt = (minute: number): string => new Date(START_MS + minute * MINUTE_MS).toISOString();

let editCount = 0;
export interface EditOptions extends Partial<Omit<OracleEdit, 'fields'>> {
  fields?: Record<string, unknown>;
  minute?: number;
}

export function anEdit({ fields = {}, minute = editCount, ...rest }: EditOptions = {}): OracleEdit {
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

export const aSession = (fields: Row = {}): Row => ({
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
export const aCompletedUnit = (score: number): Record<string, unknown> => ({
  ...UNIT,
  status: 'completed',
  score,
  summary: `${score}`,
});

export const aTurn = (id: string, fields: Row = {}): Row => ({
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

export const aTurnEdit = (turn: Row, options: EditOptions = {}): OracleEdit => {
  const { updatedAt: _, syncVersion: __, deletedAt: ___, ...fields } = turn;
  return anEdit({
    table: 'ai_conversations',
    rowId: String(turn['conversationId']),
    creates: true,
    fields,
    ...options,
  });
};

export const toRows = (...rows: Row[]): Map<string, Row> =>
  new Map(
    rows.map((row) => {
      const table = 'conversationId' in row ? 'ai_conversations' : 'words' in row ? WORDS : 'practice_history';
      return [`${table} ${String(row['conversationId'] ?? row['id'])}`, row];
    }),
  );

const WORDS = 'pronunciation_improvement_summary';
export const aWordList = (attempts: Record<string, Record<string, number>>): Row => ({
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
export const aWordAttempt = (device: string, word: string, attempts: number): OracleEdit =>
  anEdit({
    table: WORDS,
    rowId: USER,
    device,
    attempts: [{ word, attempts, meanAccuracy: 50, lastPracticedAt: timeAt(9), isTotal: false }],
  });
