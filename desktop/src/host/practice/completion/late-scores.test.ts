/** Turns that are scored after their session was completed. */
import { loadSharedUnderstanding } from '@parley/catalogue/understanding';
import { createUnderstanding } from '@parley/coach/understanding';
import { type Assessment, type Feedback, ok, readFeedbackText, storeFeedbackPoint, type TurnId } from '@parley/domain';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCatalogue, installBundledCatalogue } from '../../catalogue/index.ts';
import { createCoachClient } from '../../coach/index.ts';
import { openRecordings } from '../../recordings/index.ts';
import type { SpeechScorer } from '../../scorer/index.ts';
import { insertRow, type Store, updateRow } from '../../store/index.ts';
import { aClock, anAssessment, aScriptedScorer, voiceLikePcm } from '../../test-kit/open-host.ts';
import { openTestStore } from '../../test-kit/open-test-store.ts';
import { seededSessionId, seedSessions } from '../../test-kit/seed-sessions.ts';
import { APOLOGISE, aCatalogue, LATE_DELIVERY, NAME_THE_DELAY, testId } from '../../test-kit/test-catalogue.ts';
import { createRealtimeRecord } from '../realtime/realtime-record.ts';
import { findOrCreateInteraction, findSession, type Session } from '../session/session-rows.ts';
import { createTurnRecognition } from '../turn/recognition.ts';
import type { CompletionParts } from './completion-parts.ts';
import { findLateTurns, scoreLateTurns } from './late-scores.ts';
import { findRescoredSessions } from './outdated-scores.ts';
import { createSessionCompletion } from './session-completion.ts';

const SESSION = seededSessionId(0);
const SAID = 'It will be two days late.';
const BEST = 'You said “two days late” clearly.';
const DAY_MS = 86_400_000;
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

const POINT = storeFeedbackPoint({ code: 'nothing_said' });
const GRAMMAR = storeFeedbackPoint({ code: 'grammar', rule: 'agree' });
const UNREVIEWED: Feedback = { best: POINT, fix: POINT, nextStep: POINT, wordsToTrain: [] };
const FEEDBACK: Feedback = {
  ...UNREVIEWED,
  best: storeFeedbackPoint({ code: 'nothing_said' }, BEST),
  corrections: [{ said: 'will be', better: 'is going to be', why: 'It is already decided.' }],
  languageQuality: 90,
};

let store: Store;
let parts: CompletionParts;
let clock: ReturnType<typeof aClock>;
beforeEach(async () => {
  clock = aClock();
  store = await openTestStore(undefined, clock);
  await installBundledCatalogue(store, aCatalogue);
  seedSessions(store.dataDir, 1);
  store.sqlite.exec("UPDATE practice_history SET status = 'in_progress', score = NULL, entire_conversation = '[]'");
  const recordings = openRecordings(store, logger);
  // Without a connection, the coach could not reply anyway.
  const coach = createCoachClient({ connection: () => null, clock, timeZone: () => 'Europe/Berlin' });
  const catalogue = createCatalogue(store);
  parts = { store, recordings, logger, catalogue, coach, scorer: aScriptedScorer(), chance: () => 0.5 };
});
afterEach(() => store.close());

function say(text: string): TurnId {
  const begun = parts.recordings.begin(SESSION, voiceLikePcm(2_000));
  if (!begun.ok) throw new Error(begun.error.code);
  parts.recordings.close(begun.value.turnId, 0);
  const turnId = createRealtimeRecord(parts, SESSION).addLearnerTurn(text, begun.value);
  if (turnId === null) throw new Error('the turn was not stored');
  return turnId;
}

function complete({ feedback = FEEDBACK, summary = BEST }: { feedback?: Feedback; summary?: string } = {}): void {
  store.transaction(() => {
    updateRow(store, 'practiceHistory', SESSION, { status: 'completed', feedback, summary });
  });
}

async function scoreLate(scorer: SpeechScorer = parts.scorer): Promise<Session> {
  const closing = new AbortController().signal;
  for (const { turnIds } of findLateTurns(store))
    await scoreLateTurns({ ...parts, scorer }, storedSession(), { turnIds, closing });
  return storedSession();
}

function storedSession(): Session {
  const found = findSession(store, SESSION);
  if (!found.ok) throw new Error(found.error.code);
  return found.value;
}

const assessmentsOf = ({ entireConversation }: Session): (Assessment | null)[] =>
  entireConversation.flatMap((turn) => (turn.role === 'learner' ? [turn.assessment] : []));

const ask = (statement: string): unknown => store.sqlite.prepare(statement).pluck().all();

const UNUSABLE = { reason: 'clipped', hint: 'It was too loud.' } as const;

describe('the review of the coach', () => {
  it('stays, and the coach is not asked again', async () => {
    const turnIds = [SAID, 'I am sorry, we will send it again tomorrow.'].map(say);
    complete();
    expect(findLateTurns(store)).toMatchObject([{ turnIds: new Set(turnIds) }]);

    const scored = await scoreLate();
    const { corrections, languageQuality } = FEEDBACK;
    expect(scored).toMatchObject({ pronScore: 66, summary: BEST, feedback: { corrections, languageQuality } });
    expect(scored.feedback?.best).toContain(BEST);
    expect(scored.score).not.toBeNull();
    expect(findLateTurns(store)).toEqual([]);
    expect(ask('SELECT session_id FROM scoring_attempts')).toEqual([]);
  });

  it('keeps its place where its summary was only measured', async () => {
    say(SAID);
    const measured = { code: 'session', turns: 1, done: 0, total: 2, isJudged: true, pron: null } as const;
    complete({ summary: storeFeedbackPoint(measured) });
    const { summary } = await scoreLate();
    expect(readFeedbackText(summary ?? '').point).toMatchObject({ code: 'session', pron: 66 });
  });

  it('that is still to come is left alone', async () => {
    say(SAID);
    complete();
    const attempt = "VALUES (?, 'review', 3, 1000, 2000)";
    store.sqlite
      .prepare(`INSERT INTO scoring_attempts (session_id, waits_for, attempts, ended_at, next_attempt_at) ${attempt}`)
      .run(SESSION);
    await scoreLate();
    expect(ask('SELECT attempts FROM scoring_attempts')).toEqual([3]);
    expect(ask('SELECT next_attempt_at FROM scoring_attempts')).toEqual([2000]);
  });

  it('that was given up is not asked for again', async () => {
    say(SAID);
    complete({ feedback: UNREVIEWED });
    await scoreLate();
    expect(ask('SELECT session_id FROM scoring_attempts')).toEqual([]);
  });

  it('counts as missing when only the rules have found corrections', async () => {
    say('I am agree with that.');
    complete({ feedback: { ...UNREVIEWED, corrections: [{ said: 'by rules', better: 'x', why: GRAMMAR }] } });
    const { feedback } = await scoreLate();
    expect(feedback?.corrections).toMatchObject([{ said: 'I am agree', better: 'I agree' }]);
    expect(feedback?.languageQuality).toBeUndefined();
  });

  it('that arrives during the scoring is kept', async () => {
    say(SAID);
    complete({ feedback: UNREVIEWED });
    const scorer = aScriptedScorer({
      assess: (text) => {
        complete();
        return anAssessment(text);
      },
    });
    expect(await scoreLate(scorer)).toMatchObject({
      pronScore: 66,
      summary: BEST,
      feedback: { corrections: FEEDBACK.corrections, languageQuality: 90 },
    });
  });
});

it('keeps why an answer could not be scored, and does not score it again', async () => {
  say(SAID);
  complete();
  const scorer = aScriptedScorer({ assess: (text) => ({ ...anAssessment(text), unusable: UNUSABLE }) });
  expect(assessmentsOf(await scoreLate(scorer))).toMatchObject([{ unusable: UNUSABLE }]);
  await scoreLate(scorer);
  expect(scorer.assessed).toEqual([SAID]);
});

it('logs words with the time of their turn', async () => {
  say(SAID);
  const saidAt = clock.now();
  clock.pass(30 * DAY_MS);
  complete();
  clock.pass(DAY_MS);
  await scoreLate();
  expect(ask('SELECT DISTINCT at FROM word_attempts')).toEqual([saidAt.getTime()]);
  expect(ask('SELECT day FROM day_totals')).toEqual(['2026-11-18']);
});

it('counts a turn of a call that was scored after another device had completed the session', async () => {
  const turnId = say(SAID);
  const scorer = aScriptedScorer({
    assess: (text) => {
      complete();
      return anAssessment(text);
    },
  });
  await createRealtimeRecord({ ...parts, scorer }, SESSION).score(turnId);
  const { pronScore, score } = await scoreLate();
  expect(pronScore).toBe(66);
  expect(score).not.toBeNull();
  expect(ask("SELECT word FROM word_attempts WHERE word = 'late'")).toEqual(['late']);
});

it('judges by the objectives that the session had at its end', async () => {
  const turnId = say(SAID);
  const measured = { code: 'session', turns: 1, done: 2, total: 2, isJudged: true, pron: null } as const;
  complete({ summary: storeFeedbackPoint(measured) });
  store.transaction(() => {
    const completedObjectives = [NAME_THE_DELAY, APOLOGISE].map((objectiveId) => ({
      objectiveId,
      words: SAID,
      turnId,
    }));
    updateRow(store, 'practiceHistory', SESSION, { completedObjectives });
    const { id, practiceId, userId } = storedSession();
    insertRow(store, 'feedbackDetails', {
      feedbackId: store.newId(),
      interactionId: findOrCreateInteraction(store, { id, practiceId, userId }).interactionId,
      userId,
      performanceCategories: [],
      suggestions: [],
      score: null,
    });
  });
  clock.pass(DAY_MS);
  const now = clock.now().getTime();
  store.sqlite
    .prepare(
      `INSERT INTO objectives (objective_id, description, key, created_at, updated_at, sync_version)
       VALUES (?, 'Offer help.', 'offer-help', ?, ?, 1)`,
    )
    .run(testId(900), now, now);
  store.sqlite
    .prepare(
      `INSERT INTO practice_objectives (practice_objective_id, practice_id, objective_id, position, created_at,
         updated_at, sync_version) VALUES (?, ?, ?, 3, ?, ?, 1)`,
    )
    .run(testId(901), LATE_DELIVERY, testId(900), now, now);
  const { summary } = await scoreLate();
  expect(readFeedbackText(summary ?? '').point).toMatchObject({ done: 2, total: 2 });
});

it('does not bring back a session that is deleted during the scoring', async () => {
  say(SAID);
  complete();
  const scorer = aScriptedScorer({
    assess: (text) => {
      store.sqlite.exec('UPDATE practice_history SET deleted_at = 1');
      return anAssessment(text);
    },
  });
  await expect(scoreLate(scorer)).rejects.toThrow('session.not_found');
  expect(ask('SELECT word FROM word_attempts')).toEqual([]);
});

it('waits for running scores when the learner asks to transcribe an answer meanwhile', async () => {
  say(SAID);
  const untranscribed = say('');
  complete();
  const released = Promise.withResolvers<void>();
  const scorer: SpeechScorer = {
    ...parts.scorer,
    assess: async ({ text }) => {
      await released.promise;
      return anAssessment(text);
    },
  };
  const coach: CompletionParts['coach'] = {
    ...parts.coach,
    transcribeTurn: async () => ok({ text: BEST, assessment: null }),
  };
  const understanding = createUnderstanding(loadSharedUnderstanding);
  const given = { ...parts, scorer, coach, understanding };
  const completion = createSessionCompletion({
    ...given,
    recognition: createTurnRecognition({ ...given, transcribeHere: async () => null }),
    calls: { endSession: async () => undefined },
    shownSessions: { has: () => false },
  });
  const scoring = completion.scoreLateTurns(new AbortController().signal);
  const asked = completion.retryTranscription({ sessionId: SESSION });
  released.resolve();
  await scoring;
  expect((await asked).ok).toBe(true);
  understanding.close();
  const { entireConversation } = storedSession();
  expect(entireConversation.find(({ turnId }) => turnId === untranscribed)?.text).toBe(BEST);
  expect(assessmentsOf(storedSession())).not.toContain(null);
});

const SESSIONS = 5_000;
/** If the host is blocked for longer, the learner notices. */
const MAX_SEARCH_MS = 600;

/** The shortest CPU time of several runs. Unlike elapsed time, it hardly depends on other work on the machine. */
function fastest(search: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage();
    search();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

it(
  'finds late turns and sessions scored again among years of sessions without a noticeable pause',
  { tags: ['slow'] },
  () => {
    seedSessions(store.dataDir, SESSIONS, { from: 1 });
    // Each session has four turns with a recording, and forty words in the log. Fifty recent turns have no words there,
    // as if their audio were unusable.
    const turn = "printf('%s-%d', s.id, n.value)";
    const numbers = 'WITH n(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM n WHERE value < ?)';
    const from = 'FROM practice_history s, n';
    const isRecent = `s.rowid > ${SESSIONS - 1_000}`;
    store.sqlite.exec(`UPDATE practice_history AS s SET status = 'completed',
    updated_at = CASE WHEN ${isRecent} THEN ${clock.now().getTime()} ELSE updated_at END`);
    store.sqlite.exec(`INSERT INTO user_course_interaction
    (interaction_id, user_id, interaction_type, timestamp, details, created_at, updated_at, sync_version)
    SELECT id, user_id, 'practice', 1, json_object('sessionId', id), 1, 1, 1 FROM practice_history`);
    store.sqlite.exec(`WITH n(value) AS (VALUES (0), (1)) INSERT INTO feedback_details
    (feedback_id, interaction_id, user_id, performance_categories, suggestions, created_at, updated_at, sync_version)
    SELECT ${turn}, s.id, s.user_id, '[]', '[]', 1, 1, 1 ${from} WHERE s.rowid % 10 = 0 OR n.value = 0`);
    const assessment = JSON.stringify(anAssessment(SAID));
    store.sqlite
      .prepare(
        `${numbers} INSERT INTO ai_conversations (conversation_id, interaction_id, user_id, session_id, content, role,
         said_at, assessment, created_at, updated_at, sync_version)
       SELECT ${turn}, s.id, s.user_id, s.id, '${SAID}', 'learner', s.updated_at, ?, 1, 1, 1 ${from}`,
      )
      .run(3, assessment);
    store.sqlite
      .prepare(
        `${numbers} INSERT INTO recordings (recording_id, user_id, session_id, turn_id, file_name, state, sample_count,
         next_seq, hint_level, created_at)
       SELECT ${turn}, s.user_id, s.id, ${turn}, ${turn}, 'sent', 1, 1, 0, 1 ${from}`,
      )
      .run(3);
    store.sqlite
      .prepare(
        `${numbers} INSERT INTO word_attempts (id, user_id, session_id, turn_id, kind, at, day, word, ipa, phonemes,
         created_at, updated_at, sync_version)
       SELECT printf('%s-%d', s.id, n.value), s.user_id, s.id, printf('%s-%d', s.id, n.value % 4), 'attempt',
         s.updated_at, date(s.updated_at / 1000, 'unixepoch'), 'word' || (n.value % 20), '', '[["l",90,null],["e",80,null]]', 1, 1, 1 ${from}`,
      )
      .run(39);
    store.sqlite.exec(`DELETE FROM word_attempts WHERE turn_id IN
    (SELECT s.id || '-3' FROM practice_history s WHERE s.rowid > ${SESSIONS - 50})`);

    expect(findLateTurns(store).length).toBeGreaterThanOrEqual(50);
    expect(fastest(() => findLateTurns(store))).toBeLessThan(MAX_SEARCH_MS);
    expect(findRescoredSessions(store)).toHaveLength(100);
    expect(fastest(() => findRescoredSessions(store))).toBeLessThan(MAX_SEARCH_MS);
  },
);
