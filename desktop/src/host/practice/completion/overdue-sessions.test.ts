/** Sessions that the app finishes for the learner, and sessions that fail while it does so. */
import { type Assessment, AttemptPhonemes, type SessionId } from '@parley/domain';
import { expect, it } from 'vitest';
import {
  aClock,
  anAssessment,
  aScriptedScorer,
  type OpenHost,
  openHost,
  recordTurn,
  sendRecordedTurn,
  startPractice,
} from '../../test-kit/open-host.ts';
import { inDatabase } from '../../test-kit/read-database.ts';
import { LATE_REPLY, SORRY_REPLY } from '../../test-kit/test-catalogue.ts';

const CARD_NUMBER = '4111-1111-1111-1111';
const SOUNDS_OF_CARD_NUMBER = 91;

/** The scorer's output when each digit is said. */
function withCardNumber(text: string): Assessment {
  const assessment = anAssessment(text);
  const phonemes = Array.from({ length: SOUNDS_OF_CARD_NUMBER }, (_, at) => ({
    phoneme: 'w',
    startMs: at * 10,
    endMs: at * 10 + 10,
    accuracy: 90,
  }));
  const card = { word: CARD_NUMBER, startMs: 0, endMs: 910, accuracy: 90, error: 'None' as const, phonemes };
  return { ...assessment, words: [card, ...assessment.words] };
}

async function startTyped({ ask }: OpenHost): Promise<SessionId> {
  const { sessionId } = await startPractice(ask, 'text');
  for (const text of [LATE_REPLY, 'bananas', SORRY_REPLY])
    await ask.practice.sendTyped({ sessionId, text, hintLevel: 0 });
  return sessionId;
}

it('scores a session in which one word has more sounds than the log keeps', async () => {
  const opened = await openHost({ scorer: aScriptedScorer({ assess: withCardNumber }) });
  const { ask } = opened;
  const { sessionId } = await startPractice(ask, 'audio');
  const { turnId } = await recordTurn(ask, sessionId);
  expect(await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 })).toMatchObject({ status: 'heard' });
  await ask.practice.sendTurn({ sessionId, turnId });

  const { status, session } = await ask.practice.finish({ sessionId });
  expect(status).toBe('completed');
  const [said] = session.turns.flatMap((turn) => (turn.role === 'learner' ? [turn.assessment?.words[0]] : []));
  expect(said).toMatchObject({ word: CARD_NUMBER, accuracy: 90 });
  expect(said?.phonemes.length).toBeLessThan(SOUNDS_OF_CARD_NUMBER);
  await opened.host.close();

  const logged = inDatabase(opened.dataDir, (sqlite) =>
    sqlite.prepare<[string], string>('SELECT phonemes FROM word_attempts WHERE word = ?').pluck().get(CARD_NUMBER),
  );
  expect(AttemptPhonemes.parse(JSON.parse(logged ?? ''))).toHaveLength(said?.phonemes.length ?? 0);
});

it('finishes the other overdue sessions when one of them cannot be stored, and tries that one again later', async () => {
  const clock = aClock();
  const first = await openHost({ clock });
  const broken = await startTyped(first);
  const sound = await startTyped(first);
  await first.host.close();
  inDatabase(first.dataDir, (sqlite) =>
    sqlite.exec(`CREATE TRIGGER broken BEFORE UPDATE OF status ON practice_history WHEN new.id = '${broken}'
      BEGIN SELECT RAISE(ABORT, 'broken'); END`),
  );
  clock.pass(7 * 24 * 3_600_000);

  const second = await openHost({ dataDir: first.dataDir, clock });
  await second.host.whenIdle();
  expect((await second.ask.practice.session({ sessionId: sound })).phase).toBe('scored');
  expect((await second.ask.practice.session({ sessionId: broken })).phase).toBe('scoring');
  await second.host.close();
  const attempts = inDatabase(first.dataDir, (sqlite) =>
    sqlite
      .prepare<[number]>('SELECT attempts, next_attempt_at > ? AS isLater FROM scoring_attempts')
      .all(clock.now().getTime()),
  );
  expect(attempts).toEqual([{ attempts: 1, isLater: 1 }]);
});

/** Starts a session, answers once and abandons it. */
async function leaveShortSession(opened: OpenHost): Promise<SessionId> {
  const { ask } = opened;
  const { sessionId } = await startPractice(ask, 'audio');
  await sendRecordedTurn(ask, sessionId);
  return sessionId;
}

it('puts the words of a session that is too short to be scored on the list of words to train', async () => {
  const clock = aClock();
  const scorer = aScriptedScorer({
    assess: (text) => {
      const assessment = anAssessment(text);
      return { ...assessment, words: assessment.words.map((word) => ({ ...word, accuracy: 40 })) };
    },
  });
  const first = await openHost({ clock, scorer });
  const sessionId = await leaveShortSession(first);
  await first.host.close();
  clock.pass(7 * 24 * 3_600_000);

  const second = await openHost({ dataDir: first.dataDir, clock, scorer });
  await second.host.whenIdle();
  expect(await second.ask.practice.result({ sessionId })).toMatchObject({ status: 'completed', overall: null });
  expect((await second.ask.review.due()).total).toBeGreaterThan(0);
  await second.host.close();
});
