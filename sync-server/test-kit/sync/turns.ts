/** Builds the turns of a session as devices send them: as rows, and in one field as before protocol version 3. */
import { randomUUID } from 'node:crypto';
import type { Mutation } from '@parley/contract';
import { type Assessment, SessionId, toTurnFields, type Turn, TurnId, wireSchema, entities } from '@parley/domain';
import type { TestDevice, TestServer } from '../server.ts';

/** Pseudo-random numbers that are the same for the same seed. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const PHONEMES = 'ə ɪ t n s l d ɹ k ð iː z ɛ m p w ɑː æ v f b eɪ h ʌ uː ŋ ʃ ɔː oʊ dʒ θ tʃ ʊ j aɪ g ɝː aʊ ʒ'.split(' ');
const WORDS =
  'well I think we should move the meeting to Thursday because the numbers for the quarter are not ready yet and I would rather show you something that we can stand behind than a draft that raises more questions than it answers so let us take two more days'.split(
    ' ',
  );

/** An assessment of 17 s of speech: 45 words, about 160 phonemes, a pitch point every 20 ms. */
export function anAssessmentOf17Seconds(seed = 1): Assessment {
  const next = seededRandom(seed);
  const score = (from: number): number => Math.round((from + next() * (100 - from)) * 10) / 10;
  let clockMs = 240;
  const words = Array.from({ length: 45 }, (_, nr): Assessment['words'][number] => {
    const startMs = clockMs;
    const count = nr % 9 === 0 ? 5 : nr % 2 === 0 ? 3 : 4;
    const phonemes = Array.from({ length: count }, () => {
      const from = clockMs;
      clockMs += 10 * Math.round(5 + next() * 9);
      const accuracy = score(40);
      const phoneme = PHONEMES[Math.floor(next() * PHONEMES.length)] ?? 'ə';
      const heardAs = accuracy < 60 ? [{ phoneme: 'd', likelihood: 0.41 }] : undefined;
      return { phoneme, startMs: from, endMs: clockMs, accuracy, ...(heardAs === undefined ? {} : { heardAs }) };
    });
    const endMs = clockMs;
    clockMs += nr % 7 === 6 ? 260 : 20;
    return { word: WORDS[nr % WORDS.length] ?? 'well', startMs, endMs, accuracy: score(55), error: 'None', phonemes };
  });
  const pitch = Array.from({ length: 850 }, (_, nr) => ({ ms: nr * 20, nr }))
    .filter(({ nr }) => nr % 60 < 46)
    .map(({ ms, nr }) => ({ ms, hz: Math.round((118 + 22 * Math.sin(nr / 11) + 6 * next()) * 10) / 10 }));
  return {
    source: 'azure',
    durationMs: 17_000,
    snrDb: 23.4,
    accuracy: score(70),
    fluency: score(70),
    prosody: score(60),
    completeness: 100,
    pron: score(70),
    words,
    pitch,
    pauses: [3_240, 6_910, 10_480].map((startMs) => ({ startMs, endMs: startMs + 260 })),
  };
}

export const aCoachTurn = (given: Partial<Extract<Turn, { role: 'coach' }>> = {}): Turn => ({
  role: 'coach',
  turnId: TurnId.parse(randomUUID()),
  at: '2026-11-18T10:00:00.000Z',
  text: 'What would you like to talk about?',
  node: null,
  kind: 'line',
  ...given,
});

export const aLearnerTurn = (given: Partial<Extract<Turn, { role: 'learner' }>> = {}): Turn => ({
  role: 'learner',
  turnId: TurnId.parse(randomUUID()),
  at: '2026-11-18T10:00:05.000Z',
  text: 'Good morning.',
  mode: 'voice',
  node: null,
  fitted: true,
  recordingId: null,
  assessment: null,
  hintLevel: 0,
  ...given,
});

/** The interaction that a session's turns refer to. */
export function interactionChange(server: TestServer, device: TestDevice, sessionId: string): Mutation {
  return device.change({
    table: 'user_course_interaction',
    rowId: randomUUID(),
    fields: {
      userId: device.userId,
      courseId: null,
      interactionType: 'practice',
      timestamp: server.now().toISOString(),
      details: { sessionId, practiceId: null, videoId: null, courseSectionId: null },
    },
  });
}

/** A change that sends a turn as a row. */
export function turnChange(
  device: TestDevice,
  turn: Turn,
  at: { sessionId: string; interactionId: string; previousTurnId: string | null; ms?: number },
): Mutation {
  const { conversationId: _key, ...fields } = toTurnFields(turn, {
    sessionId: SessionId.parse(at.sessionId),
    previousTurnId: at.previousTurnId === null ? null : TurnId.parse(at.previousTurnId),
  });
  const row = { ...fields, userId: device.userId, courseId: null, interactionId: at.interactionId };
  return device.change({
    table: 'ai_conversations',
    rowId: turn.turnId,
    fields: wireSchema(entities.aiConversations).partial().encode(row) as Mutation['fields'],
    ...(at.ms === undefined ? {} : { ms: at.ms }),
  });
}

/** The changes that an app of protocol version 2 sends: the session with all turns in one field, and the rows of those turns. */
export function conversationChanges(
  device: TestDevice,
  turns: readonly Turn[],
  at: { sessionId: string; interactionId: string; since?: number },
): Mutation[] {
  const session = device.change({
    table: 'practice_history',
    rowId: at.sessionId,
    fields: { entireConversation: turns as never, duration: turns.length },
  });
  const rows = turns.slice(at.since ?? 0).map((turn) =>
    device.change({
      table: 'ai_conversations',
      rowId: turn.turnId,
      fields: {
        interactionId: at.interactionId,
        userId: device.userId,
        courseId: null,
        content: turn.text,
        role: turn.role,
      },
    }),
  );
  return [session, ...rows];
}
