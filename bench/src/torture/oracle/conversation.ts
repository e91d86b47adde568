/** Computes `entireConversation` of a session from its turns, by the rule in docs/protocol.md. */
import { isDeepStrictEqual } from 'node:util';
import { unpackAssessment } from './unpack-assessment.ts';
import type { Row, Rows } from './oracle-edit.ts';

export const TURNS = 'ai_conversations';
export const SESSIONS = 'practice_history';

/** Returns the turns by session, without deleted ones. */
export function turnsBySession(rows: Rows): Map<string, Row[]> {
  const turns = [...rows].flatMap(([key, row]) =>
    key.startsWith(`${TURNS} `) && typeof row['sessionId'] === 'string' && row['deletedAt'] === null ? [row] : [],
  );
  return Map.groupBy(turns, (row) => String(row['sessionId']));
}

export function buildConversation(turns: readonly Row[]): Row[] {
  const ids = new Set(turns.map((turn) => turn['conversationId']));
  const findFollowers = (id: unknown): Row[] =>
    turns
      .filter(({ previousTurnId }) => (ids.has(previousTurnId) ? previousTurnId : null) === id)
      .toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const ordered: Row[] = [];
  let continuationCount = 0;
  const appendTurn = (turn: Row, number: number): void => {
    for (let next: Row | undefined = turn, others: Row[] = []; next !== undefined;) {
      ordered.push(toConversationItem(next, number));
      [next, ...others] = findFollowers(next['conversationId']);
      // The first continuation is complete before the next begins.
      if (others.length > 0) {
        if (next !== undefined) appendTurn(next, number);
        for (const other of others) appendTurn(other, (continuationCount += 1));
        return;
      }
    }
  };
  for (const [index, root] of findFollowers(null).entries())
    appendTurn(root, index === 0 ? 0 : (continuationCount += 1));
  return ordered;
}

const sortKey = (turn: Row): string =>
  `${String(turn['saidAt'] ?? turn['createdAt'])} ${String(turn['conversationId'])}`;

function toConversationItem(turn: Row, continuation: number): Row {
  const { conversationId: turnId, saidAt, createdAt, content: text, node, role, kind, mode, recordingId } = turn;
  const item = { role, turnId, at: saidAt ?? createdAt, text, node, ...(continuation > 0 ? { continuation } : {}) };
  if (role === 'coach') return { ...item, kind: kind ?? 'line' };
  const { assessment, fitted, hintLevel } = turn;
  return {
    ...item,
    mode: mode ?? (recordingId === null ? 'typed' : 'voice'),
    fitted,
    recordingId,
    assessment: assessment === null ? null : unpackAssessment(assessment as Record<string, unknown>),
    hintLevel,
  };
}

/** A replica may round the pitch. */
const PITCH_SHARE = 0.01;

/** Returns null when they are equal, otherwise the first difference. */
export function compareConversations(found: readonly Row[], expected: readonly Row[]): string | null {
  const idsOf = (items: readonly Row[]): string => items.map(({ turnId }) => String(turnId).slice(-6)).join(' ');
  const ids = found.map(({ turnId }) => String(turnId));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) return `has turn ${twice} twice`;
  const lost = expected.find(({ turnId }) => !ids.includes(String(turnId)));
  if (lost !== undefined) return `lacks turn ${String(lost['turnId'])}`;
  if (idsOf(found) !== idsOf(expected)) return `is in the order ${idsOf(found)}, should be ${idsOf(expected)}`;
  for (const [index, item] of expected.entries()) {
    const own = found[index] ?? {};
    const names = Object.keys({ ...item, ...own }).filter((name) => !isSameItem(name, own[name], item[name]));
    if (names.length > 0) return `differs in ${names.join(', ')} of turn ${String(item['turnId'])}`;
  }
  return null;
}

function isSameItem(name: string, found: unknown, expected: unknown): boolean {
  if (name !== 'assessment' || found === null || expected === null) return isDeepStrictEqual(found, expected);
  const [own, wanted] = [found as Row, expected as Row];
  const [ownPitch, wantedPitch] = [own['pitch'], wanted['pitch']] as { ms: number; hz: number }[][];
  return (
    isDeepStrictEqual({ ...own, pitch: null }, { ...wanted, pitch: null }) &&
    ownPitch?.length === wantedPitch?.length &&
    (ownPitch ?? []).every(({ ms, hz }, index) => {
      const other = wantedPitch?.[index];
      return other?.ms === ms && Math.abs(other.hz - hz) <= hz * PITCH_SHARE;
    })
  );
}

/** Returns the differences between the conversations of a replica and those of the server. */
export function checkConversations(server: Rows, shown: ReadonlyMap<string, readonly Row[]>): string[] {
  const turns = turnsBySession(server);
  return [...shown].flatMap(([sessionId, conversation]) => {
    const row = server.get(`${SESSIONS} ${sessionId}`);
    if (row === undefined || row['deletedAt'] !== null) return [];
    const wrong = compareConversations(conversation, buildConversation(turns.get(sessionId) ?? []));
    return wrong === null ? [] : [`the conversation of session ${sessionId} ${wrong}`];
  });
}
