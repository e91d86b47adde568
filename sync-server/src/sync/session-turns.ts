/** The turns of sessions in a batch: those that devices send in one field are taken apart, and no session gets too many. */
import {
  type ClockedRow,
  clocksOfCreation,
  type Conversation,
  MAX_TURNS_PER_SESSION,
  mergeEdit,
  projectConversation,
  type Row,
  sessionInteractionId,
  SessionId,
  toTurnFields,
  type Turn,
  TurnId,
} from '@parley/domain';
import type { Batch } from './batch.ts';
import { stampOf, type Write } from './plan.ts';
import { MutationRefused, type Values } from './read-change.ts';
import { readableRow } from './stored-row.ts';

const KEY = 'aiConversations';
const INTERACTIONS = 'userCourseInteraction';

type Stamp = Pick<Write, 'userId' | 'at' | 'version'>;
type TurnRow = Row<typeof KEY>;

const isPresentIn = (row: Values | undefined, sessionId: string): boolean =>
  row !== undefined && row['sessionId'] === sessionId && row['deletedAt'] === null;

/** Throws `MutationRefused` when `row`, a turn, is one more than its session may have. */
export function requireRoom(batch: Batch, row: Values): void {
  const { sessionId, conversationId, deletedAt } = row;
  if (typeof sessionId !== 'string' || deletedAt !== null) return;
  if (isPresentIn(batch.row(KEY, String(conversationId)), sessionId)) return;
  const count = batch.turnCounts.get(sessionId) ?? 0;
  if (count >= MAX_TURNS_PER_SESSION) throw new MutationRefused('limit_exceeded', 'sessionId');
  batch.turnCounts.set(sessionId, count + 1);
}

/** Turns that come in one field, to be taken apart. */
export interface SentConversation {
  sessionId: string;
  turns: Conversation;
  /** The time that its change counts as. */
  time: string;
}

export const turnIdOf = ({ turnId }: Pick<Turn, 'turnId'>): TurnId => TurnId.parse(turnId.toLowerCase());

/**
 * Inserts the turns that are not there, each following the one before it in the list, and fills in those that are. All rows of the
 * session's turns and of those in the list are in the batch. Throws `MutationRefused`.
 */
export function takeApart(batch: Batch, { sessionId, turns, time }: SentConversation, stamp: Stamp): void {
  const interaction = turns.some((turn) => batch.row(KEY, turnIdOf(turn)) === undefined)
    ? interactionOf(batch, { sessionId, turns }, stamp)
    : null;
  let previousTurnId: TurnId | null = null;
  for (const turn of turns) {
    const turnId = turnIdOf(turn);
    const current = batch.row(KEY, turnId);
    const fields = toTurnFields({ ...turn, turnId }, { sessionId: SessionId.parse(sessionId), previousTurnId });
    const row =
      current === undefined
        ? newTurn(fields, { interaction, stamp, time })
        : filledIn(current, fields, { stamp, time });
    if (row !== null) {
      requireRoom(batch, row);
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
  return { ...given, createdAt, deletedAt: null, ...stampOf(stamp), fieldClocks: clocksOfCreation(time) };
}

/** Null: the row says all of it already. */
function filledIn(
  current: Values,
  { conversationId: _key, previousTurnId, ...said }: ReturnType<typeof toTurnFields>,
  { stamp, time }: TurnChange,
): Values | null {
  // Where a turn stands in a list is news only of a turn that has no place yet: lists of two continuations are no chain.
  const fields = current['sessionId'] === null ? { ...said, previousTurnId } : said;
  const { values, clocks }: ClockedRow = readableRow(KEY, current, Object.keys(fields));
  const merged = mergeEdit(KEY, { values, clocks }, { op: 'upsert', fields, at: time, hasSeenRow: false });
  if (merged === null) return null;
  return { ...current, ...merged.changes, ...stampOf(stamp), fieldClocks: merged.clocks, deletedAt: null };
}

/** What the session's turns hang on: the interaction of its other turns, or the one that is about it, or one that is made for it. */
function interactionOf(batch: Batch, { sessionId, turns }: Omit<SentConversation, 'time'>, stamp: Stamp): Values {
  const known = [...turnsOf(batch, sessionId), ...turns.map((turn) => batch.row(KEY, turnIdOf(turn)))]
    .map((turn) => turn?.['interactionId'])
    .find((id) => typeof id === 'string');
  if (known !== undefined) return batch.row(INTERACTIONS, known) ?? { interactionId: known };
  for (const row of batch.rows(INTERACTIONS))
    if (row['userId'] === stamp.userId && sessionIdIn(row['details']) === sessionId) return row;
  return newInteraction(batch, sessionId, stamp);
}

const sessionIdIn = (details: unknown): unknown =>
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
    ...stampOf(stamp),
  };
  batch.putByServer(INTERACTIONS, interactionId, row);
  return row;
}

export const turnsOf = (batch: Batch, sessionId: string): Values[] =>
  [...batch.rows(KEY)].filter((turn) => turn['sessionId'] === sessionId);

/** Rows are as the database's columns have them. */
const asTurnRows = (rows: readonly Values[]): TurnRow[] => rows as TurnRow[];

export const projectSession = (batch: Batch, sessionId: string): Conversation =>
  projectConversation(asTurnRows(turnsOf(batch, sessionId)));

/** Whether the session's conversation is what a device sent: the same turns in the same order, with the same words. */
export function isAsSent(batch: Batch, { sessionId, turns }: SentConversation): boolean {
  // Assessments are rounded as they are packed, and take long to unpack.
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
