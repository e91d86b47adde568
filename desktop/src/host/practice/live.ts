/** A conversation with a coach that answers in words of its own: what is otherwise than in a guided one. */
import { type CoachSpeaking, type HeldConversation, MAX_HELD_TURNS, type ReplyEvent } from '@parley/contract';
import type { CoachLine, CompletedObjective, LearnerTurn } from '@parley/domain';
import { type CloudCoach, CoachFailed } from '../coach/index.ts';
import { type Store, updateRow } from '../store/index.ts';
import { coachTurn } from './scene.ts';
import { findSession, isWordless, lastWords, type Session, storeTurns, updateTurns } from './session-rows.ts';

/** What the coach is told: the words and not their scores, of a very long conversation its end; nothing again that it would not answer. */
export const heldOf = (session: Session): HeldConversation => ({
  sessionId: session.id,
  practiceId: session.practiceId,
  agentId: session.agentId,
  difficulty: session.difficulty,
  turns: session.entireConversation
    .filter((turn) => turn.role === 'coach' || (turn.fitted && !isWordless(turn)))
    .slice(-MAX_HELD_TURNS)
    .map((turn) => (turn.role === 'coach' ? turn : { ...turn, assessment: null })),
  completed: session.completedObjectives.map(({ objectiveId }) => objectiveId),
});

export interface LiveParts {
  store: Store;
  coach: CloudCoach;
}

/** The coach's words as they come. What the learner proved, and the coach's line, are stored before they are told; a cut leaves no half line. */
export async function* hearCoach(
  { store, coach }: LiveParts,
  session: Session,
  signal: AbortSignal,
): AsyncGenerator<Exclude<CoachSpeaking, { type: 'session' }>, void> {
  const answered = lastWords(session);
  for await (const event of repliesTo({ store, coach }, session, signal)) {
    switch (event.type) {
      case 'loading':
      case 'words':
        yield event;
        break;
      case 'proved':
        if (answered?.role === 'learner' && keepProof(store, session, { ...event, answered })) yield event;
        break;
      case 'line':
        keepLine(store, session, event.line);
        return;
    }
  }
  throw new CoachFailed({ code: 'coach.unavailable', detail: 'cut' });
}

/** What the coach would not answer is kept, but not put to it again. */
async function* repliesTo(
  { store, coach }: LiveParts,
  session: Session,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent> {
  try {
    yield* coach.reply(heldOf(session), signal);
  } catch (error) {
    if (error instanceof CoachFailed && error.failure.code === 'coach.declined') keepDeclined(store, session);
    throw error;
  }
}

function keepDeclined(store: Store, asked: Session): void {
  const declined = lastWords(asked);
  if (declined?.role !== 'learner') return;
  store.transaction(() => {
    const session = findUnmoved(store, asked);
    if (session === null) return;
    updateTurns(store, session, [{ ...declined, fitted: false }]);
  });
}

/** At once, and whatever becomes of the answer: what is ticked stays ticked. False where the turn is gone, or what it proved is scored. */
function keepProof(
  store: Store,
  { id }: Session,
  { objectiveId, words, answered }: Pick<CompletedObjective, 'objectiveId' | 'words'> & { answered: LearnerTurn },
): boolean {
  return store.transaction(() => {
    const session = findSession(store, id);
    if (!session.ok || session.value.status === 'completed') return false;
    const { entireConversation, completedObjectives } = session.value;
    if (!entireConversation.some(({ turnId }) => turnId === answered.turnId)) return false;
    if (completedObjectives.some((done) => done.objectiveId === objectiveId)) return false;
    updateRow(store, 'practiceHistory', id, {
      completedObjectives: [...completedObjectives, { objectiveId, words, turnId: answered.turnId }],
    });
    return true;
  });
}

function keepLine(store: Store, asked: Session, line: CoachLine): void {
  store.transaction(() => {
    const session = findUnmoved(store, asked);
    if (session !== null) storeTurns(store, session, [coachTurn(store, line)]);
  });
}

/** Null where the conversation does not stand any more where the coach was asked: another device, or another window, has gone on. */
function findUnmoved(store: Store, asked: Session): Session | null {
  const session = findSession(store, asked.id);
  const lastOf = ({ entireConversation }: Session) => entireConversation.at(-1)?.turnId;
  return session.ok && lastOf(session.value) === lastOf(asked) ? session.value : null;
}
