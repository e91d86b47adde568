/** Derives from the turns which kind of coach a session has and whose turn it is. */
import { hasEnded, lastTurnWithWords, type Session } from './session-rows.ts';

/**
 * Whether the coach is currently a language model. Only guided utterances have a dialogue node, and a session with a
 * model coach starts without turns. A coach that takes over from the other starts with an utterance of its own.
 */
export const hasModelCoach = ({ entireConversation }: Pick<Session, 'entireConversation'>): boolean =>
  (entireConversation.findLast((turn) => turn.role === 'coach')?.node ?? null) === null;

/** Whether a language model took part, so that it can review what was said. */
export const hadModelCoach = ({ entireConversation }: Pick<Session, 'entireConversation'>): boolean =>
  entireConversation.every((turn) => turn.role !== 'coach') ||
  entireConversation.some((turn) => turn.role === 'coach' && turn.node === null);

/**
 * Whether the coach must reply. A declined turn is for the learner to rephrase, and a turn without words gets no reply.
 */
export function isCoachsTurn(session: Pick<Session, 'entireConversation'>): boolean {
  const last = lastTurnWithWords(session);
  return hasModelCoach(session) && !hasEnded(session) && last?.role !== 'coach' && last?.fitted !== false;
}
