/** Converts turns to rows of `ai_conversations`, and computes a session's conversation from those rows. */
import type { Row } from '../entity/index.ts';
import { RecordingId, type SessionId, TurnId } from '../ids.ts';
import { packAssessment, unpackAssessment } from '../scoring/packed-assessment.ts';
import type { Conversation, Turn } from './conversation.ts';

type TurnRow = Row<'aiConversations'>;
/** The fields that come from the turn itself; the session supplies the owner and the references. */
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

/** `previousTurnId` is the turn before this one on the device where it was said; null for the first turn. */
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

/** The fields needed to order turns and to find branches. */
type OrderedTurnRow = TurnFields & Pick<TurnRow, 'createdAt' | 'deletedAt'>;

function toTurn(row: OrderedTurnRow, continuation: number): Turn {
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
    assessment: readAssessment(row),
    hintLevel: row.hintLevel,
  };
}

/** An assessment from another device may be unreadable; the turn's text is still shown. */
function readAssessment({ assessment }: OrderedTurnRow) {
  try {
    return assessment === null ? null : unpackAssessment(assessment);
  } catch {
    return null;
  }
}

const bySaidAt = (a: OrderedTurnRow, b: OrderedTurnRow): number =>
  (a.saidAt ?? a.createdAt).getTime() - (b.saidAt ?? b.createdAt).getTime() ||
  (a.conversationId < b.conversationId ? -1 : 1);

/**
 * Returns a session's turns in order. Each turn names its predecessor, so the turns form a tree. When two devices continued from the same
 * turn, both branches are included one after the other, and all but the first are numbered. A turn whose predecessor is missing starts its
 * own branch.
 */
export function projectConversation(rows: readonly OrderedTurnRow[]): Conversation {
  const present = rows.filter(({ deletedAt }) => deletedAt === null).toSorted(bySaidAt);
  const ids = new Set(present.map(({ conversationId }) => conversationId));
  const followers = Map.groupBy(present, ({ previousTurnId }) =>
    previousTurnId !== null && ids.has(previousTurnId) ? previousTurnId : null,
  );
  const turns: Turn[] = [];
  const seen = new Set<string>();
  let continuations = 0;
  // The top of the stack comes next. A stack avoids recursion, since a session can have thousands of turns.
  const stack: { row: OrderedTurnRow; continuation: number | 'next' }[] = [];
  const pushFollowers = (id: string | null, continuation: number): void => {
    const next = followers.get(id) ?? [];
    for (const [index, row] of [...next.entries()].toReversed())
      stack.push({ row, continuation: index === 0 ? continuation : 'next' });
  };
  const walk = (): void => {
    for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
      const { row } = step;
      if (seen.has(row.conversationId)) continue;
      seen.add(row.conversationId);
      const continuation = step.continuation === 'next' ? (continuations += 1) : step.continuation;
      turns.push(toTurn(row, continuation));
      pushFollowers(row.conversationId, continuation);
    }
  };
  pushFollowers(null, 0);
  walk();
  // Only turns that form a cycle are left. No device creates cycles, but their text must not be lost.
  for (const row of present) {
    if (seen.has(row.conversationId)) continue;
    stack.push({ row, continuation: 'next' });
    walk();
  }
  return turns;
}
