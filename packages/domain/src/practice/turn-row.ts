/** Turns as rows of `ai_conversations`, and a session's conversation computed from them. */
import type { Row } from '../entity/index.ts';
import { RecordingId, type SessionId, TurnId } from '../ids.ts';
import { packAssessment, unpackAssessment } from '../packed-assessment.ts';
import type { Conversation, Turn } from './conversation.ts';

type TurnRow = Row<'aiConversations'>;
/** What a turn says of itself; whose it is, and what it belongs to, comes from its session. */
export type TurnFields = Pick<
  TurnRow,
  | 'conversationId'
  | 'sessionId'
  | 'previousTurnId'
  | 'saidAt'
  | 'content'
  | 'role'
  | 'node'
  | 'kind'
  | 'mode'
  | 'fitted'
  | 'recordingId'
  | 'hintLevel'
  | 'assessment'
>;

/** `previousTurnId`: the turn that it followed where it was said; null for the first of a session. */
export function toTurnFields(turn: Turn, at: { sessionId: SessionId; previousTurnId: TurnId | null }): TurnFields {
  const isLearner = turn.role === 'learner';
  return {
    conversationId: turn.turnId,
    ...at,
    saidAt: new Date(turn.at),
    content: turn.text,
    role: turn.role,
    node: turn.node,
    kind: isLearner ? null : turn.kind,
    mode: isLearner ? turn.mode : null,
    fitted: isLearner ? turn.fitted : true,
    recordingId: isLearner ? turn.recordingId : null,
    hintLevel: isLearner ? turn.hintLevel : 0,
    assessment: isLearner && turn.assessment !== null ? packAssessment(turn.assessment) : null,
  };
}

/** The order in which turns were said, and where two devices went on apart. */
type TurnSource = TurnFields & Pick<TurnRow, 'createdAt' | 'deletedAt'>;

function toTurn(row: TurnSource, continuation: number): Turn {
  const base = {
    turnId: TurnId.parse(row.conversationId),
    at: (row.saidAt ?? row.createdAt).toISOString(),
    text: row.content,
    node: row.node,
    ...(continuation > 0 ? { continuation } : {}),
  };
  if (row.role === 'coach') return { ...base, role: 'coach', kind: row.kind ?? 'line' };
  return {
    ...base,
    role: 'learner',
    mode: row.mode ?? (row.recordingId === null ? 'typed' : 'voice'),
    fitted: row.fitted,
    recordingId: row.recordingId === null ? null : RecordingId.parse(row.recordingId),
    assessment: assessmentOf(row),
    hintLevel: row.hintLevel,
  };
}

/** What another device made may be unreadable: the turn's words are shown all the same. */
function assessmentOf({ assessment }: TurnSource) {
  try {
    return assessment === null ? null : unpackAssessment(assessment);
  } catch {
    return null;
  }
}

const saidBefore = (a: TurnSource, b: TurnSource): number =>
  (a.saidAt ?? a.createdAt).getTime() - (b.saidAt ?? b.createdAt).getTime() ||
  (a.conversationId < b.conversationId ? -1 : 1);

/**
 * A session's turns in order. Each turn names the one that it followed, so they form a tree: where two devices went on from the same turn,
 * both continuations are there, one after the other, and all but the first are numbered. A turn whose predecessor is not here begins a
 * continuation of its own.
 */
export function projectConversation(rows: readonly TurnSource[]): Conversation {
  const present = rows.filter(({ deletedAt }) => deletedAt === null).toSorted(saidBefore);
  const ids = new Set(present.map(({ conversationId }) => conversationId));
  const followers = Map.groupBy(present, ({ previousTurnId }) =>
    previousTurnId !== null && ids.has(previousTurnId) ? previousTurnId : null,
  );
  const turns: Turn[] = [];
  const seen = new Set<string>();
  let continuations = 0;
  // The last on the stack is next; a stack and not a recursion, since a session may have thousands of turns.
  const open: { row: TurnSource; continuation: number | 'next' }[] = [];
  const follow = (id: string | null, continuation: number): void => {
    const next = followers.get(id) ?? [];
    for (const [index, row] of [...next.entries()].toReversed())
      open.push({ row, continuation: index === 0 ? continuation : 'next' });
  };
  const walk = (): void => {
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      const { row } = step;
      if (seen.has(row.conversationId)) continue;
      seen.add(row.conversationId);
      const continuation = step.continuation === 'next' ? (continuations += 1) : step.continuation;
      turns.push(toTurn(row, continuation));
      follow(row.conversationId, continuation);
    }
  };
  follow(null, 0);
  walk();
  // Only turns that name each other in a circle are left: no device makes such, and none of their words may be lost.
  for (const row of present) {
    if (seen.has(row.conversationId)) continue;
    open.push({ row, continuation: 'next' });
    walk();
  }
  return turns;
}
