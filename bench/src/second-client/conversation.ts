/** `entireConversation` of a session, computed from its turns as docs/protocol.md says it under "Turns and conversations". */
import type { Row } from './rules.ts';

/** A turn as it stands in the conversation; its assessment is left packed. */
export interface Turn extends Row {
  turnId: string;
  continuation?: number;
}

export type Conversation = Turn[];

export function conversationOf(sessionId: string, rows: Iterable<Row>): Conversation {
  const turns = [...rows].filter((row) => row['sessionId'] === sessionId && row['deletedAt'] === null);
  const ids = new Set(turns.map(({ conversationId }) => conversationId));
  const followers = Map.groupBy(turns, ({ previousTurnId }) => (ids.has(previousTurnId) ? previousTurnId : null));
  const inOrder = (a: Row, b: Row): number => (sortKey(a) < sortKey(b) ? -1 : 1);
  const conversation: Conversation = [];
  let continuations = 0;
  // A stack, since a long session would be as many nested calls. `null` begins a continuation.
  const waiting: { row: Row; continuation: number | null }[] = [];
  const follow = (id: unknown, continuation: number): void => {
    const next = (followers.get(id) ?? []).toSorted(inOrder);
    waiting.push(...next.map((row, index) => ({ row, continuation: index === 0 ? continuation : null })).toReversed());
  };
  follow(null, 0);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const continuation = next.continuation ?? (continuations += 1);
    conversation.push({ ...toTurn(next.row), ...(continuation === 0 ? {} : { continuation }) });
    follow(next.row['conversationId'], continuation);
  }
  return conversation;
}

const sortKey = ({ saidAt, createdAt, conversationId }: Row): string =>
  `${String(saidAt ?? createdAt)} ${String(conversationId)}`;

function toTurn(row: Row): Turn {
  const { conversationId, role, createdAt, saidAt: at = createdAt, content: text, node } = row;
  const shared = { role, turnId: String(conversationId), at, text, node };
  if (role === 'coach') return { ...shared, kind: row['kind'] };
  const { mode, fitted, recordingId, assessment, hintLevel } = row;
  return { ...shared, mode, fitted, recordingId, assessment, hintLevel };
}
