/**
 * Computes a session's conversation from its stored turns. Unpacked, an assessment takes twenty times its stored size, so few of them are in
 * memory at once and the conversation has only as many as fit.
 */
import { setImmediate } from 'node:timers/promises';
import {
  type Conversation,
  type PackedAssessment,
  projectConversation,
  type Row,
  unpackAssessment,
} from '@parley/domain';
import { and, eq, isNotNull, isNull, type SQL } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { isOneOf } from '../../db/is-one-of.ts';
import { tables } from '../../db/tables.ts';
import { selectRows } from '../rows/stored-rows.ts';
import { wireBytes } from '../rows/wire-rows.ts';

/**
 * The size of a conversation as stored for older apps. Forty minutes of the learner's speech fit with all their scores.
 */
export const MAX_CONVERSATION_BYTES: number = 8 * 1_048_576;
/** The size of packed assessments that are read at once, unless a single one is larger. */
const ASSESSMENTS_PAGE_BYTES = 262_144;

export interface SessionOfLearner {
  userId: string;
  sessionId: string;
}

const { aiConversations } = tables;

const isPresentIn = ({ userId, sessionId }: SessionOfLearner): SQL | undefined =>
  and(eq(aiConversations.userId, userId), eq(aiConversations.sessionId, sessionId), isNull(aiConversations.deletedAt));

/** Returns the session's turns in order, without assessments. */
export async function projectTurns(tx: Database, session: SessionOfLearner): Promise<Conversation> {
  const rows = await selectRows(tx, 'aiConversations', isPresentIn(session), { without: 'assessment' });
  // The rows have the shape of the database's columns.
  return projectConversation([...rows.values()] as Row<'aiConversations'>[]);
}

/**
 * Returns the JSON text of the session's conversation, up to its maximum size. Assessments are included from the start
 * as long as there is room.
 */
export async function conversationJson(tx: Database, session: SessionOfLearner): Promise<string> {
  const texts = new Map<string, string>();
  let bytes = 0;
  const turns = (await projectTurns(tx, session)).filter((turn) => {
    const text = JSON.stringify(turn);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes <= MAX_CONVERSATION_BYTES) texts.set(turn.turnId, text);
    return bytes <= MAX_CONVERSATION_BYTES;
  });
  const turnsById = new Map<string, Conversation[number]>(turns.map((turn) => [turn.turnId, turn]));
  for await (const { id, assessment } of readAssessments(tx, session, [...turnsById.keys()])) {
    const turn = turnsById.get(id);
    if (turn?.role !== 'learner') continue;
    const text = JSON.stringify({ ...turn, assessment });
    bytes += Buffer.byteLength(text) - Buffer.byteLength(texts.get(id) ?? '');
    if (bytes > MAX_CONVERSATION_BYTES) break;
    texts.set(id, text);
    await setImmediate();
  }
  return `[${[...texts.values()].join(',')}]`;
}

/** Reads the assessments of these turns in this order, a few at a time. */
async function* readAssessments(
  tx: Database,
  session: SessionOfLearner,
  turnIds: readonly string[],
): AsyncGenerator<{ id: string; assessment: ReturnType<typeof unpackAssessment> | null }> {
  const { conversationId: id, assessment } = aiConversations;
  const sizes = await tx
    .select({ id, bytes: wireBytes('aiConversations', 3).mapWith(Number) })
    .from(aiConversations)
    .where(and(isPresentIn(session), isNotNull(assessment)));
  const bytesById = new Map(sizes.map((size) => [size.id, size.bytes]));
  let page: string[] = [];
  let pageBytes = 0;
  const readPage = async function* (ids: readonly string[]) {
    const rows = await tx.select({ id, assessment }).from(aiConversations).where(isOneOf(id, ids));
    const packedById = new Map(rows.map((row) => [row.id, row.assessment]));
    for (const one of ids) yield { id: one, assessment: unpack(packedById.get(one) ?? null) };
  };
  for (const turnId of turnIds) {
    const bytes = bytesById.get(turnId);
    if (bytes === undefined) continue;
    if (page.length > 0 && pageBytes + bytes > ASSESSMENTS_PAGE_BYTES) {
      yield* readPage(page);
      [page, pageBytes] = [[], 0];
    }
    page.push(turnId);
    pageBytes += bytes;
  }
  if (page.length > 0) yield* readPage(page);
}

/** An assessment from another device may be unreadable; the turn's text is still shown. */
function unpack(packed: PackedAssessment | null): ReturnType<typeof unpackAssessment> | null {
  try {
    return packed === null ? null : unpackAssessment(packed);
  } catch {
    return null;
  }
}
