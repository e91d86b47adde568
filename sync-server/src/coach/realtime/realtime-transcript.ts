/** The transcript of a running realtime session, which the coach and the judge read; it is never stored. */
import type { ConversationState } from '@parley/coach';
import type { CoachTurn, LearnerTurn, ObjectiveId, Turn, TurnId } from '@parley/domain';

/** The maximum length of a turn's text. */
const MAX_TURN_CHARACTERS = 4_000;

interface Spoken {
  turnId: TurnId;
  text: string;
  atMs: number;
}

const spokenAt = ({ turnId, text, atMs }: Spoken): { turnId: TurnId; text: string; at: string } => ({
  turnId,
  text: text.slice(0, MAX_TURN_CHARACTERS),
  at: new Date(atMs).toISOString(),
});

/** Devices use this mark for an utterance that broke off, for example with the connection. */
const CUT_OFF = / …$/;

/** After an utterance that broke off, the learner may not know what to answer, so the coach continues. */
export function isCoachsTurn({ turns }: ConversationState): boolean {
  const last = turns.at(-1);
  return last?.role !== 'coach' || CUT_OFF.test(last.text);
}

export const withTurn = (conversation: ConversationState, turn: Turn): ConversationState => ({
  ...conversation,
  turns: [...conversation.turns, turn],
});

export const withCoachTurn = (
  conversation: ConversationState,
  { kind, ...spoken }: Spoken & { kind: CoachTurn['kind'] },
): ConversationState =>
  spoken.text === '' ? conversation : withTurn(conversation, { role: 'coach', ...spokenAt(spoken), node: null, kind });

export const learnerTurn = (spoken: Spoken): LearnerTurn => ({
  role: 'learner',
  ...spokenAt(spoken),
  mode: 'voice',
  node: null,
  fitted: true,
  recordingId: null,
  assessment: null,
  hintLevel: 0,
});

export const withObjective = (conversation: ConversationState, objectiveId: ObjectiveId): ConversationState =>
  conversation.completed.some((completed) => completed.objectiveId === objectiveId)
    ? conversation
    : { ...conversation, completed: [...conversation.completed, { objectiveId }] };
