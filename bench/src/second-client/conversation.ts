/** Computes `entireConversation` of a session from its turns, as docs/protocol.md defines under "Turns and conversations". */
import type { Row } from './merge-rules.ts';

/** A turn in the conversation; its assessment stays packed. */
export interface Turn extends Row {
  turnId: string;
  continuation?: number;
}

export type Conversation = Turn[];

export function buildConversation(sessionId: string, rows: Iterable<Row>): Conversation {
  const turns = [...rows].filter((row) => row['sessionId'] === sessionId && row['deletedAt'] === null);
  const ids = new Set(turns.map(({ conversationId }) => conversationId));
  const followers = Map.groupBy(turns, ({ previousTurnId }) => (ids.has(previousTurnId) ? previousTurnId : null));
  const compareTurns = (a: Row, b: Row): number => (sortKey(a) < sortKey(b) ? -1 : 1);
  const conversation: Conversation = [];
  let continuations = 0;
  // An explicit stack, because recursion could overflow on a long session. A null continuation starts a new one.
  const stack: { row: Row; continuation: number | null }[] = [];
  const pushFollowers = (id: unknown, continuation: number): void => {
    const next = (followers.get(id) ?? []).toSorted(compareTurns);
    stack.push(...next.map((row, index) => ({ row, continuation: index === 0 ? continuation : null })).toReversed());
  };
  pushFollowers(null, 0);
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const continuation = next.continuation ?? (continuations += 1);
    conversation.push({ ...toTurn(next.row), ...(continuation === 0 ? {} : { continuation }) });
    pushFollowers(next.row['conversationId'], continuation);
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
