/** Builds the changes that a device sends after a spoken answer: the coach's line, the answer with its scores, and an attempt at each word. */
import { type PackedAssessment, type ScoredWord, turnAttemptId } from '@parley/domain';
import { randomUUID } from 'node:crypto';
import { spokenTurns } from '../sync/spoken-sessions.ts';
import type { LoadDevice } from './seed-learners.ts';

export interface NewRow {
  table: string;
  rowId: string;
  fields: object;
}

interface SpokenAnswer {
  line: string;
  answer: string;
  assessment: PackedAssessment;
  attempts: readonly ScoredWord[];
}

/** Building an assessment takes longer than sending it, so the answers of some sessions are reused. */
const SESSIONS = 40;

let answers: readonly SpokenAnswer[] | null = null;

function readAnswers(): readonly SpokenAnswer[] {
  answers ??= Array.from({ length: SESSIONS }, (_, index) =>
    spokenTurns(index, { startMs: 0, newId: randomUUID }),
  ).flatMap((turns) =>
    turns.flatMap(({ content, assessment, attempts }, place): SpokenAnswer[] => {
      const line = turns[place - 1]?.content;
      return assessment === null || line === undefined ? [] : [{ line, answer: content, assessment, attempts }];
    }),
  );
  return answers;
}

/** Continues the device's session with its next answer. */
export function nextSpokenAnswer(device: LoadDevice, now: string): NewRow[] {
  const known = readAnswers();
  const spoken = known[device.lastSeq % known.length];
  if (spoken === undefined) throw new Error('there are no answers');
  const { userId, interactionId, sessionId, lastTurnId } = device;
  const [lineId, turnId] = [randomUUID(), randomUUID()];
  device.lastTurnId = turnId;
  const turn = { createdAt: now, userId, interactionId, sessionId, saidAt: now, node: 'opening', fitted: true };
  const attempt = { createdAt: now, userId, kind: 'attempt', at: now, day: now.slice(0, 10), source: 'session' };
  return [
    {
      table: 'ai_conversations',
      rowId: lineId,
      fields: { ...turn, previousTurnId: lastTurnId, role: 'coach', content: spoken.line, kind: 'line' },
    },
    {
      table: 'ai_conversations',
      rowId: turnId,
      fields: {
        ...turn,
        previousTurnId: lineId,
        role: 'learner',
        content: spoken.answer,
        mode: 'voice',
        hintLevel: 0,
        recordingId: turnId,
        assessment: spoken.assessment,
      },
    },
    ...spoken.attempts.map((word, place) => ({
      table: 'word_attempts',
      rowId: turnAttemptId(turnId, place),
      fields: { ...attempt, ...word, sessionId, turnId, recordingId: turnId, sentence: spoken.answer },
    })),
  ];
}
