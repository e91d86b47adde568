/** Writes the words of scored utterances to the attempt log. */
import {
  type Assessment,
  type AttemptSource,
  localDayFormatter,
  RecordingId,
  scoredWords,
  sentenceWith,
  type SessionId,
  turnAttemptId,
  TurnId,
} from '@parley/domain';
import { and, eq } from 'drizzle-orm';
import { insertRows, isLogged, type NewRow, type Store, updateOwnWords, wordAttempts } from '../store/index.ts';

/** Something that the learner said, with its scores. */
export interface Utterance {
  turnId: string;
  /** ISO time. Words from the past must not look as if they were said after a later review of them. */
  at: string;
  recordingId: string | null;
  /** Null when the text must not be stored with its words, which are synced. */
  text: string | null;
  assessment: Assessment;
}

/** The fields of a row that has no recording. */
export const aLogRow = (store: Store, at: Date): Omit<NewRow<'wordAttempts'>, 'kind' | 'word'> => ({
  id: store.newId(),
  userId: store.identity().userId,
  at,
  day: localDayFormatter(store.timeZone())(at),
  ipa: '',
  accuracy: null,
  phonemes: [],
  source: null,
  sessionId: null,
  turnId: null,
  recordingId: null,
  startMs: null,
  endMs: null,
  sentence: null,
  grade: null,
  attempts: null,
  countedBy: null,
});

/** Writes rows to the log, and updates what is derived from them. */
export function addToLog(store: Store, rows: readonly NewRow<'wordAttempts'>[]): void {
  if (rows.length === 0) return;
  store.transaction(() => {
    insertRows(store, 'wordAttempts', rows);
    updateOwnWords(store, {
      words: new Set(rows.map(({ word }) => word)),
      days: new Set(rows.map(({ day }) => day)),
      added: rows,
    });
  });
}

/** Utterances that are already in the log are left out, so this can be repeated. */
export function recordUtterances(
  store: Store,
  utterances: readonly Utterance[],
  of: { source: AttemptSource; sessionId: SessionId | null },
): void {
  const rows = utterances.flatMap(({ turnId, at, recordingId, text, assessment }) => {
    const row = aLogRow(store, new Date(at));
    return scoredWords(assessment).map((word, place): NewRow<'wordAttempts'> => ({
      ...row,
      ...word,
      ...of,
      id: turnAttemptId(turnId, place),
      kind: 'attempt',
      turnId: TurnId.parse(turnId),
      recordingId: recordingId === null ? null : RecordingId.parse(recordingId),
      sentence: text === null ? null : sentenceWith(word.word, text),
    }));
  });
  const known = loggedTurns(store, utterances, of.sessionId);
  addToLog(
    store,
    rows.filter(({ turnId }) => turnId === null || !known.has(turnId)),
  );
}

/**
 * A session that moved to another account keeps its attempts under other ids, so its turns are searched for under those
 * as well.
 */
function loggedTurns(store: Store, utterances: readonly Utterance[], sessionId: SessionId | null): Set<string | null> {
  const turnIds = utterances.map(({ turnId }) => turnId);
  const known = turnIds.filter((turnId) => isLogged(store, turnAttemptId(turnId, 0)));
  if (sessionId === null) return new Set(known);
  const ofSession = store.db
    .selectDistinct({ turnId: wordAttempts.turnId })
    .from(wordAttempts)
    .where(and(eq(wordAttempts.sessionId, sessionId), eq(wordAttempts.userId, store.identity().userId)))
    .all();
  return new Set([...known, ...ofSession.map(({ turnId }) => turnId)]);
}
