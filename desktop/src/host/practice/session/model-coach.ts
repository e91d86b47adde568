/** The differences of a session whose coach is a language model: streaming replies, proofs and declined turns. */
import {
  type CoachReplyUpdate,
  type ConversationSnapshot,
  MAX_SNAPSHOT_TURNS,
  type ReplyEvent,
} from '@parley/contract';
import type { CoachUtterance, CompletedObjective, LearnerTurn } from '@parley/domain';
import { type CoachClient, CoachError } from '../../coach/index.ts';
import { type Store, updateRow } from '../../store/index.ts';
import { cutOff } from '../realtime/playback.ts';
import { toCoachTurn } from './guided-scene.ts';
import {
  findSession,
  isUntranscribed,
  lastTurnWithWords,
  type Session,
  appendTurns,
  updateTurns,
} from './session-rows.ts';

/**
 * Only a model coach declines a turn. A guided turn that did not fit still has a node, and a model coach can understand
 * it.
 */
const wasDeclined = ({ fitted, node }: LearnerTurn): boolean => !fitted && node === null;

/** Returns what the coach receives: the last turns without their scores, and without turns that it declined. */
export const toConversationSnapshot = (session: Session): ConversationSnapshot => ({
  sessionId: session.id,
  practiceId: session.practiceId,
  agentId: session.agentId,
  difficulty: session.difficulty,
  turns: session.entireConversation
    .filter((turn) => turn.role === 'coach' || (!wasDeclined(turn) && !isUntranscribed(turn)))
    .slice(-MAX_SNAPSHOT_TURNS)
    .map((turn) => (turn.role === 'coach' ? turn : { ...turn, assessment: null })),
  completed: session.completedObjectives.map(({ objectiveId }) => objectiveId),
});

export interface ModelCoachParts {
  store: Store;
  coach: CoachClient;
}

/** How long the judge may still take after the learner has interrupted the reply. */
const PROOF_GRACE_MS = 3_000;

/**
 * Streams the coach's reply. Proofs and the final utterance are stored before they are sent, so an interrupted reply
 * leaves nothing partial.
 */
export async function* streamCoachReply(
  { store, coach }: ModelCoachParts,
  session: Session,
  signal: AbortSignal,
): AsyncGenerator<Exclude<CoachReplyUpdate, { type: 'session' }>, void> {
  const answered = lastTurnWithWords(session);
  const request = new AbortController();
  const events = requestReply({ store, coach }, session, request.signal);
  let next = events.next();
  let hasEnded = false;
  try {
    for (;;) {
      const step = await untilAborted(next, signal);
      hasEnded = step.done === true || step.value.type === 'line';
      if (step.done === true) break;
      const event = step.value;
      if (event.type === 'line') return storeCoachUtterance(store, session, event.line);
      next = events.next();
      if (event.type !== 'proved') yield event;
      else if (answered?.role === 'learner' && storeProof(store, session, { ...event, answered })) yield event;
    }
  } finally {
    // The answer that the learner gave before interrupting is judged only in this request.
    if (!hasEnded && answered?.role === 'learner' && findUnchangedSession(store, session) === null)
      void storeLateProofs(next, events, request, (proof) => storeProof(store, session, { ...proof, answered }));
    else request.abort();
    next.catch(() => undefined);
  }
  throw new CoachError({ code: 'coach.unavailable', detail: 'cut' });
}

async function storeLateProofs(
  pending: Promise<IteratorResult<ReplyEvent, void>>,
  events: AsyncGenerator<ReplyEvent, void>,
  request: AbortController,
  store: (proof: Extract<ReplyEvent, { type: 'proved' }>) => void,
): Promise<void> {
  const timer = setTimeout(() => request.abort(), PROOF_GRACE_MS);
  try {
    for (let step = await pending; step.done !== true; step = await events.next())
      if (step.value.type === 'proved') store(step.value);
  } catch {
    // The heard part of the reply is stored, so the learner need not know that the rest failed.
  } finally {
    clearTimeout(timer);
    request.abort();
  }
}

async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  signal.throwIfAborted();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** A declined turn is kept but never sent to the coach again. */
async function* requestReply(
  { store, coach }: ModelCoachParts,
  session: Session,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent, void> {
  try {
    yield* coach.reply(toConversationSnapshot(session), signal);
  } catch (error) {
    if (error instanceof CoachError && error.code === 'coach.declined') markDeclined(store, session);
    throw error;
  }
}

/** Marks the learner's last turn, unless the session has continued in the meantime. */
export function markDeclined(store: Store, asked: Session): void {
  const declined = lastTurnWithWords(asked);
  if (declined?.role !== 'learner') return;
  store.transaction(() => {
    const session = findUnchangedSession(store, asked);
    if (session === null) return;
    updateTurns(store, session, [{ ...declined, fitted: false }]);
  });
}

/**
 * Stores a proof at once, so that it survives a failing reply. Returns false if the turn is gone, already proved the
 * objective, or is scored.
 */
function storeProof(
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

/** The reply that is still streaming will find that the session has changed, and will not be stored. */
export const keepInterruptedReply = (store: Store, session: Session, heard: string): void =>
  storeCoachUtterance(store, session, { text: cutOff(heard), node: null, kind: 'line' });

function storeCoachUtterance(store: Store, asked: Session, line: CoachUtterance): void {
  store.transaction(() => {
    const session = findUnchangedSession(store, asked);
    if (session !== null) appendTurns(store, session, [toCoachTurn(store, line)]);
  });
}

/** Returns null when another device or window has continued the session since the coach was asked. */
function findUnchangedSession(store: Store, asked: Session): Session | null {
  const session = findSession(store, asked.id);
  const lastOf = ({ entireConversation }: Session) => entireConversation.at(-1)?.turnId;
  return session.ok && lastOf(session.value) === lastOf(asked) ? session.value : null;
}
