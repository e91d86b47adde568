/** The coach's review of a session whose late turn is scored. */
import { type Feedback, storeFeedbackPoint } from '@parley/domain';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCatalogue, installBundledCatalogue } from '../../catalogue/index.ts';
import { createCoachClient } from '../../coach/index.ts';
import { openRecordings } from '../../recordings/index.ts';
import { type Store, updateRow } from '../../store/index.ts';
import { aClock, aScriptedScorer, removeDataFolders, voiceLikePcm } from '../../test-kit/open-host.ts';
import { openTestStore } from '../../test-kit/open-test-store.ts';
import { seededSessionId, seedSessions } from '../../test-kit/seed-sessions.ts';
import { aCatalogue } from '../../test-kit/test-catalogue.ts';
import { createRealtimeRecord } from '../realtime/realtime-record.ts';
import { findSession } from '../session/session-rows.ts';
import { findLateTurns, scoreLateTurns } from './late-scores.ts';

const SESSION = seededSessionId(0);
const SAID = 'It will be two days late.';
const BEST = 'You said “two days late” clearly.';
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

const FEEDBACK: Feedback = {
  best: storeFeedbackPoint({ code: 'nothing_said' }, BEST),
  fix: storeFeedbackPoint({ code: 'nothing_said' }),
  nextStep: storeFeedbackPoint({ code: 'nothing_said' }),
  wordsToTrain: [],
  corrections: [{ said: 'will be', better: 'is going to be', why: 'It is already decided.' }],
  languageQuality: 90,
};

let store: Store;
beforeEach(async () => {
  store = await openTestStore();
  await installBundledCatalogue(store, aCatalogue);
  seedSessions(store.dataDir, 1);
  store.sqlite.exec("UPDATE practice_history SET status = 'in_progress', score = NULL, entire_conversation = '[]'");
});
afterEach(() => {
  store.close();
  removeDataFolders();
});

it('stays, and the coach is not asked again', async () => {
  const recordings = openRecordings(store);
  const parts = { store, recordings, logger, catalogue: createCatalogue(store), scorer: aScriptedScorer() };
  const turnIds = [SAID, 'I am sorry, we will send it again tomorrow.'].map((text) => {
    const begun = recordings.begin(SESSION, voiceLikePcm(2_000));
    if (!begun.ok) throw new Error(begun.error.code);
    recordings.close(begun.value.turnId, 0);
    return createRealtimeRecord(parts, SESSION).addLearnerTurn(text, begun.value);
  });
  store.transaction(() => {
    updateRow(store, 'practiceHistory', SESSION, { status: 'completed', feedback: FEEDBACK, summary: BEST });
  });
  // Without a connection, a coach that was asked would give no answer.
  const coach = createCoachClient({ connection: () => null, clock: aClock(), timeZone: () => 'Europe/Berlin' });

  const late = findLateTurns(store);
  expect(late).toMatchObject([{ turnIds: new Set(turnIds) }]);
  for (const { session, turnIds: found } of late)
    await scoreLateTurns({ ...parts, coach, chance: () => 0.5 }, session, found);

  const scored = findSession(store, SESSION);
  if (!scored.ok) throw new Error(scored.error.code);
  const { corrections, languageQuality } = FEEDBACK;
  expect(scored.value).toMatchObject({ pronScore: 66, summary: BEST, feedback: { corrections, languageQuality } });
  expect(scored.value.feedback?.best).toContain(BEST);
  expect(scored.value.score).not.toBeNull();
  expect(findLateTurns(store)).toEqual([]);
  expect(store.sqlite.prepare('SELECT count(*) FROM scoring_attempts').pluck().get()).toBe(0);
});
