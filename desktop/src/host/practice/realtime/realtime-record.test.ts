/** Scores of a call's turns that arrive after its session has ended. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCatalogue, installBundledCatalogue } from '../../catalogue/index.ts';
import { openRecordings } from '../../recordings/index.ts';
import type { Store } from '../../store/index.ts';
import { anAssessment, aScriptedScorer, voiceLikePcm } from '../../test-kit/open-host.ts';
import { openTestStore } from '../../test-kit/open-test-store.ts';
import { seededSessionId, seedSessions } from '../../test-kit/seed-sessions.ts';
import { aCatalogue } from '../../test-kit/test-catalogue.ts';
import { findLateTurns } from '../completion/late-scores.ts';
import { createRealtimeRecord } from './realtime-record.ts';

const SESSION = seededSessionId(0);
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

let store: Store;
beforeEach(async () => {
  store = await openTestStore();
  await installBundledCatalogue(store, aCatalogue);
  seedSessions(store.dataDir, 1);
  store.sqlite.exec("UPDATE practice_history SET status = 'in_progress'");
});
afterEach(() => store.close());

/** Scores a turn while `meanwhile` changes its session. */
async function scoreTurn(meanwhile: () => void) {
  const recordings = openRecordings(store, logger);
  const scorer = aScriptedScorer({
    assess: (text) => {
      meanwhile();
      return anAssessment(text);
    },
  });
  const record = createRealtimeRecord(
    { store, catalogue: createCatalogue(store), recordings, scorer, logger },
    SESSION,
  );
  const begun = recordings.begin(SESSION);
  if (!begun.ok) throw new Error(begun.error.code);
  recordings.append({ turnId: begun.value.turnId, seq: 0, pcm: voiceLikePcm(500) });
  recordings.close(begun.value.turnId, 0);
  const turnId = record.addLearnerTurn('It will be two days late.', begun.value);
  if (turnId === null) throw new Error('the turn was not stored');
  await record.score(turnId);
  const ofTurn = <Value>(columns: string): Value[] =>
    store.sqlite.prepare<[string], Value>(`SELECT ${columns} = ?`).pluck().all(turnId);
  return {
    turnId,
    isScored: ofTurn<number>('assessment IS NOT NULL FROM ai_conversations WHERE conversation_id')[0] === 1,
    logged: ofTurn<string>('word FROM word_attempts WHERE turn_id'),
  };
}

it('keeps the score of a turn whose session another device has ended, as a late one', async () => {
  const scored = await scoreTurn(() => store.sqlite.exec("UPDATE practice_history SET status = 'completed'"));
  // Its words are logged when it counts towards the session.
  expect(scored).toMatchObject({ isScored: true, logged: [] });
  expect(findLateTurns(store)).toEqual([{ sessionId: SESSION, turnIds: new Set([scored.turnId]) }]);
});

it('logs the words of a session that continues only when it ends', async () => {
  expect(await scoreTurn(() => undefined)).toMatchObject({ isScored: true, logged: [] });
  expect(findLateTurns(store)).toEqual([]);
});

it('does not write to a session that was deleted meanwhile', async () => {
  const scored = await scoreTurn(() =>
    store.sqlite.exec("UPDATE practice_history SET status = 'completed', deleted_at = 1"),
  );
  expect(scored).toMatchObject({ isScored: false, logged: [] });
});
