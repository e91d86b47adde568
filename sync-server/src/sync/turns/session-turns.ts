/** Handles the turns of sessions in a batch: splits conversations sent in one field and limits the turns of a session. */
import {
  type ClockedRow,
  initialClocks,
  type Conversation,
  MAX_SESSION_BYTES,
  MAX_TURNS_PER_SESSION,
  mergeEdit,
  projectConversation,
  RecordingId,
  type Row,
  sessionInteractionId,
  SessionId,
  toTurnFields,
  type Turn,
  TurnId,
} from '@parley/domain';
import type { Batch } from '../push/batch.ts';
import type { TurnTotals } from '../push/statements/load-statement.ts';
import { writeStamp, type WriteContext } from '../push/row-plan.ts';
import { MutationRefused, type Values } from '../push/parse-change.ts';
import { toReadableRow } from '../rows/readable-row.ts';
import { rowBytes } from '../storage-quota/storage-quota.ts';

const KEY = 'aiConversations';
const INTERACTIONS = 'userCourseInteraction';

type Stamp = Pick<WriteContext, 'userId' | 'at' | 'version'>;
type TurnRow = Row<typeof KEY>;

const isPresentIn = (row: Values | undefined, sessionId: string): boolean =>
  row !== undefined && row['sessionId'] === sessionId && row['deletedAt'] === null;

const NO_TURNS: TurnTotals = { count: 0, bytes: 0 };

/** A deleted turn counts in full, because reading the session still means reading its row. */
const turnBytes = (row: Values): number => rowBytes(KEY, { ...row, deletedAt: null });

/**
 * Throws `MutationRefused` when the turn in `row` would exceed its session's limits. A whole session is read at once to
 * compute the conversation for older apps.
 */
export function requireTurnCapacity(batch: Batch, row: Values, { maxBytes = MAX_SESSION_BYTES } = {}): void {
  const { sessionId, conversationId, deletedAt } = row;
  if (typeof sessionId !== 'string') return;
  const before = batch.row(KEY, String(conversationId));
  const { count, bytes } = batch.turns.get(sessionId) ?? NO_TURNS;
  const isNew = deletedAt === null && !isPresentIn(before, sessionId);
  const growth = turnBytes(row) - (before?.['sessionId'] === sessionId ? turnBytes(before) : 0);
  const isOver = (isNew && count >= MAX_TURNS_PER_SESSION) || (growth > 0 && bytes + growth > maxBytes);
  // A deletion is always accepted.
  if (isOver && deletedAt === null) throw new MutationRefused('limit_exceeded', 'sessionId');
  batch.turns.set(sessionId, { count: isNew ? count + 1 : count, bytes: bytes + growth });
}

/** Whether all turns of the session may be loaded. Servers from before the limit accepted larger ones. */
export const canLoadTurns = (batch: Batch, sessionId: string): boolean =>
  (batch.turns.get(sessionId)?.bytes ?? 0) <= MAX_SESSION_BYTES;

/** A conversation sent in one field, to be split into turns. */
export interface SentConversation {
  sessionId: string;
  turns: Conversation;
  /** The effective time of its change. */
  time: string;
  /** The maximum size of its session's turns; the limit of a session if not given. */
  maxBytes?: number;
}

export const turnIdOf = ({ turnId }: Pick<Turn, 'turnId'>): TurnId => TurnId.parse(turnId.toLowerCase());

/** Spells the ids of a turn as the database returns them. */
function withPlainIds(turn: Turn): Turn {
  const turnId = turnIdOf(turn);
  if (turn.role !== 'learner' || turn.recordingId === null) return { ...turn, turnId };
  return { ...turn, turnId, recordingId: RecordingId.parse(turn.recordingId.toLowerCase()) };
}

/**
 * Inserts missing turns, each after the previous one in the list, and completes existing ones. The batch must contain all turns of the
 * session and of the list. Throws `MutationRefused`.
 */
export function splitIntoTurns(
  batch: Batch,
  { sessionId, turns, time, maxBytes = MAX_SESSION_BYTES }: SentConversation,
  stamp: Stamp,
): void {
  const interaction = turns.some((turn) => batch.row(KEY, turnIdOf(turn)) === undefined)
    ? findOrCreateInteraction(batch, { sessionId, turns }, stamp)
    : null;
  let previousTurnId: TurnId | null = null;
  for (const turn of turns) {
    const turnId = turnIdOf(turn);
    const current = batch.row(KEY, turnId);
    // A turn stays in its session, so a list cannot change the conversations of many others.
    if (current !== undefined && (current['sessionId'] ?? sessionId) !== sessionId) continue;
    const fields = toTurnFields(withPlainIds(turn), { sessionId: SessionId.parse(sessionId), previousTurnId });
    const row =
      current === undefined
        ? newTurn(fields, { interaction, stamp, time })
        : fillTurn(current, fields, { stamp, time });
    if (row !== null) {
      requireTurnCapacity(batch, row, { maxBytes });
      batch.putByServer(KEY, turnId, row);
    }
    if (isPresentIn(row ?? current, sessionId)) previousTurnId = turnId;
  }
}

interface TurnChange {
  stamp: Stamp;
  time: string;
}

function newTurn(
  fields: ReturnType<typeof toTurnFields>,
  { interaction, stamp, time }: TurnChange & { interaction: Values | null },
): Values {
  const given = {
    ...fields,
    userId: stamp.userId,
    interactionId: interaction?.['interactionId'],
    courseId: interaction?.['courseId'] ?? null,
  };
  const createdAt = fields.saidAt ?? stamp.at;
  return { ...given, createdAt, deletedAt: null, ...writeStamp(stamp), fieldClocks: initialClocks(time) };
}

/** Returns null when the row already contains everything. */
function fillTurn(
  current: Values,
  { conversationId: _key, previousTurnId, ...said }: ReturnType<typeof toTurnFields>,
  { stamp, time }: TurnChange,
): Values | null {
  // The position in the list applies only to a turn without one, because a list that joins two continuations is not a chain.
  const fields = current['sessionId'] === null ? { ...said, previousTurnId } : said;
  const { values, clocks }: ClockedRow = toReadableRow(KEY, current, Object.keys(fields));
  const merged = mergeEdit(
    KEY,
    { values, clocks },
    { op: 'upsert', fields, at: time, hasSeenRow: false, isNewest: true },
  );
  if (merged === null) return null;
  return { ...current, ...merged.changes, ...writeStamp(stamp), fieldClocks: merged.clocks, deletedAt: null };
}

/** Returns the interaction that the session's turns belong to: that of its other turns, one about the session, or a new one. */
function findOrCreateInteraction(
  batch: Batch,
  { sessionId, turns }: Omit<SentConversation, 'time'>,
  stamp: Stamp,
): Values {
  const known = [...turnsOf(batch, sessionId), ...turns.map((turn) => batch.row(KEY, turnIdOf(turn)))]
    .map((turn) => turn?.['interactionId'])
    .find((id) => typeof id === 'string');
  if (known !== undefined) return batch.row(INTERACTIONS, known) ?? { interactionId: known };
  for (const row of batch.rows(INTERACTIONS))
    if (row['userId'] === stamp.userId && readSessionId(row['details']) === sessionId) return row;
  return newInteraction(batch, sessionId, stamp);
}

const readSessionId = (details: unknown): unknown =>
  typeof details === 'object' && details !== null && 'sessionId' in details ? details.sessionId : null;

function newInteraction(batch: Batch, sessionId: string, stamp: Stamp): Values {
  const interactionId = sessionInteractionId(sessionId);
  const known = batch.row(INTERACTIONS, interactionId);
  if (known !== undefined && known['userId'] !== stamp.userId) throw new MutationRefused('conflict', null);
  if (known !== undefined) return known;
  const session = batch.row('practiceHistory', sessionId);
  const row: Values = {
    interactionId,
    userId: stamp.userId,
    courseId: null,
    interactionType: 'practice',
    timestamp: session?.['createdAt'] ?? stamp.at,
    details: { sessionId, practiceId: session?.['practiceId'] ?? null, videoId: null, courseSectionId: null },
    createdAt: stamp.at,
    deletedAt: null,
    fieldClocks: {},
    ...writeStamp(stamp),
  };
  batch.putByServer(INTERACTIONS, interactionId, row);
  return row;
}

export const turnsOf = (batch: Batch, sessionId: string): Values[] =>
  [...batch.rows(KEY)].filter((turn) => turn['sessionId'] === sessionId);

/** The rows have the shape of the database's columns. */
const asTurnRows = (rows: readonly Values[]): TurnRow[] => rows as TurnRow[];

/**
 * Returns whether the session's conversation has the same turns, in the same order and with the same text, as the
 * device sent.
 */
export function matchesSent(batch: Batch, { sessionId, turns }: SentConversation): boolean {
  // Assessments are left out, because they are rounded when packed and slow to unpack.
  const bare = turnsOf(batch, sessionId).map((row) => ({ ...row, assessment: null }));
  const projected = projectConversation(asTurnRows(bare));
  return (
    projected.length === turns.length &&
    projected.every(({ turnId, text }, index) => {
      const sent = turns[index];
      return sent !== undefined && turnId === turnIdOf(sent) && text === sent.text;
    })
  );
}
