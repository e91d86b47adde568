/** A conversation with a coach that answers in words of its own: what is otherwise than in a guided one. */
import { type CoachSpeaking, type HeldConversation, MAX_HELD_TURNS } from '@parley/contract';
import type { CoachEvent, CoachLine, CompletedObjective, Turn } from '@parley/domain';
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

/** The coach's words as they come. Its line is stored, with what the learner proved, before it is told; a cut leaves nothing half. */
export async function* hearCoach(
  { store, coach }: LiveParts,
  session: Session,
  signal: AbortSignal,
): AsyncGenerator<Exclude<CoachSpeaking, { type: 'session' }>, void> {
  const answered = session.entireConversation.at(-1);
  const proved: CompletedObjective[] = [];
  for await (const event of repliesTo({ store, coach }, session, signal)) {
    switch (event.type) {
      case 'words':
        yield event;
        break;
      case 'proved':
        if (answered?.role !== 'learner') break;
        proved.push({ objectiveId: event.objectiveId, words: event.words, turnId: answered.turnId });
        yield event;
        break;
      case 'line':
        keepLine(store, session, { line: event.line, answered, proved });
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

/** Only where the conversation still stands where the coach began to answer: another device, or another window, may have gone on. */
function keepLine(
  store: Store,
  { id }: Session,
  said: { line: CoachLine; answered: Turn | undefined; proved: readonly CompletedObjective[] },
): void {
  store.transaction(() => {
    const session = findSession(store, id);
    if (!session.ok || session.value.entireConversation.at(-1)?.turnId !== said.answered?.turnId) return;
    const ticked = new Set(session.value.completedObjectives.map(({ objectiveId }) => objectiveId));
    const fresh = said.proved.filter(({ objectiveId }) => !ticked.has(objectiveId));
    storeTurns(store, session.value, [coachTurn(store, said.line)], {
      completedObjectives: [...session.value.completedObjectives, ...fresh],
    });
  });
}
