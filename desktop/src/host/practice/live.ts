/** A conversation with a coach that answers in words of its own: what is otherwise than in a guided one. */
import { type CoachSpeaking, type HeldConversation, MAX_HELD_TURNS } from '@parley/contract';
import type { CoachEvent, CoachLine, CompletedObjective, LearnerTurn, Turn } from '@parley/domain';
import { type CloudCoach, CoachFailed } from '../coach/index.ts';
import { type Store, updateRow } from '../store/index.ts';
import { coachTurn } from './scene.ts';
import { findSession, isWordless, type Session, storeTurns } from './session-rows.ts';

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
  const answered = session.entireConversation.at(-1);
  for await (const event of repliesTo({ store, coach }, session, signal)) {
    switch (event.type) {
      case 'words':
        yield event;
        break;
      case 'proved':
        if (answered?.role === 'learner' && keepProof(store, session, { ...event, answered })) yield event;
        break;
      case 'line':
        keepLine(store, session, { line: event.line, answered });
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
): AsyncGenerator<CoachEvent> {
  try {
    yield* coach.reply(heldOf(session), signal);
  } catch (error) {
    if (error instanceof CoachFailed && error.failure.code === 'coach.declined') keepDeclined(store, session);
    throw error;
  }
}

function keepDeclined(store: Store, { id, entireConversation }: Session): void {
  const declined = entireConversation.at(-1);
  if (declined?.role !== 'learner') return;
  store.transaction(() => {
    const session = findSession(store, id);
    if (!session.ok || session.value.entireConversation.at(-1)?.turnId !== declined.turnId) return;
    updateRow(store, 'practiceHistory', id, {
      entireConversation: [...session.value.entireConversation.slice(0, -1), { ...declined, fitted: false }],
    });
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

/** Only where the conversation still stands where the coach began to answer: another device, or another window, may have gone on. */
function keepLine(store: Store, { id }: Session, said: { line: CoachLine; answered: Turn | undefined }): void {
  store.transaction(() => {
    const session = findSession(store, id);
    if (!session.ok || session.value.entireConversation.at(-1)?.turnId !== said.answered?.turnId) return;
    storeTurns(store, session.value, [coachTurn(store, said.line)]);
  });
}
