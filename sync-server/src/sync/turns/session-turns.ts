/** Handles the turns of sessions in a batch: splits conversations sent in one field and limits turns per session. */
import {
  type ClockedRow,
  initialClocks,
  type Conversation,
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
import { writeStamp, type WriteContext } from '../push/row-plan.ts';
import { MutationRefused, type Values } from '../push/parse-change.ts';
import { toReadableRow } from '../rows/readable-row.ts';

const KEY = 'aiConversations';
const INTERACTIONS = 'userCourseInteraction';

type Stamp = Pick<WriteContext, 'userId' | 'at' | 'version'>;
type TurnRow = Row<typeof KEY>;

const isPresentIn = (row: Values | undefined, sessionId: string): boolean =>
  row !== undefined && row['sessionId'] === sessionId && row['deletedAt'] === null;

/** Throws `MutationRefused` when the turn in `row` would exceed its session's limit. */
export function requireTurnCapacity(batch: Batch, row: Values): void {
  const { sessionId, conversationId, deletedAt } = row;
  if (typeof sessionId !== 'string' || deletedAt !== null) return;
  if (isPresentIn(batch.row(KEY, String(conversationId)), sessionId)) return;
  const count = batch.turnCounts.get(sessionId) ?? 0;
  if (count >= MAX_TURNS_PER_SESSION) throw new MutationRefused('limit_exceeded', 'sessionId');
  batch.turnCounts.set(sessionId, count + 1);
}

/** A conversation sent in one field, to be split into turns. */
export interface SentConversation {
  sessionId: string;
  turns: Conversation;
  /** The effective time of its change. */
  time: string;
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
export function splitIntoTurns(batch: Batch, { sessionId, turns, time }: SentConversation, stamp: Stamp): void {
  const interaction = turns.some((turn) => batch.row(KEY, turnIdOf(turn)) === undefined)
    ? findOrCreateInteraction(batch, { sessionId, turns }, stamp)
    : null;
  let previousTurnId: TurnId | null = null;
  for (const turn of turns) {
    const turnId = turnIdOf(turn);
    const current = batch.row(KEY, turnId);
    const fields = toTurnFields(withPlainIds(turn), { sessionId: SessionId.parse(sessionId), previousTurnId });
    const row =
      current === undefined
        ? newTurn(fields, { interaction, stamp, time })
        : fillTurn(current, fields, { stamp, time });
    if (row !== null) {
      requireTurnCapacity(batch, row);
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

export const projectSession = (batch: Batch, sessionId: string): Conversation =>
  projectConversation(asTurnRows(turnsOf(batch, sessionId)));

/** Returns whether the session's conversation has the same turns, in the same order and with the same text, as the device sent. */
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
