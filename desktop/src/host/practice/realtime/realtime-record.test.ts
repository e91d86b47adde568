/** Scores of a call's turns that become known after its session has ended. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCatalogue, installBundledCatalogue } from '../../catalogue/index.ts';
import { openRecordings } from '../../recordings/index.ts';
import type { Store } from '../../store/index.ts';
import { anAssessment, aScriptedScorer, removeDataFolders, voiceLikePcm } from '../../test-kit/open-host.ts';
import { openTestStore } from '../../test-kit/open-test-store.ts';
import { seededSessionId, seedSessions } from '../../test-kit/seed-sessions.ts';
import { aCatalogue } from '../../test-kit/test-catalogue.ts';
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
afterEach(() => {
  store.close();
  removeDataFolders();
});

/** Scores a turn, while `meanwhile` happens to its session. */
async function scoreTurn(meanwhile: () => void) {
  const recordings = openRecordings(store);
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
  const said = record.view()?.turns.find((turn) => turn.turnId === turnId);
  const words = store.sqlite.prepare<[string]>('SELECT word FROM word_attempts WHERE session_id = ?').pluck();
  return { assessment: said?.role === 'learner' ? said.assessment : undefined, logged: words.all(SESSION) };
}

it('keeps the score of a turn whose session another device has ended, and logs its words', async () => {
  const scored = await scoreTurn(() => store.sqlite.exec("UPDATE practice_history SET status = 'completed'"));
  expect(scored.assessment).toMatchObject({ pron: expect.any(Number) });
  expect(scored.logged).toContain('late');
});

it('logs the words of a session that goes on only when it ends', async () => {
  const scored = await scoreTurn(() => undefined);
  expect(scored.assessment).toMatchObject({ pron: expect.any(Number) });
  expect(scored.logged).toEqual([]);
});

it('does not write to a session that was deleted meanwhile', async () => {
  const scored = await scoreTurn(() =>
    store.sqlite.exec("UPDATE practice_history SET status = 'completed', deleted_at = 1"),
  );
  expect(scored.logged).toEqual([]);
});
