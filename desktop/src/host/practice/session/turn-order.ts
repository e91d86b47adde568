/** Derives from the turns which kind of coach a session has and whose turn it is. */
import { hasEnded, lastTurnWithWords, type Session } from './session-rows.ts';

/**
 * Whether the coach is a language model now. Only guided utterances have a dialogue node, and a session with a model coach starts without turns.
 * One coach may take over from the other with an utterance of its own.
 */
export const hasModelCoach = ({ entireConversation }: Pick<Session, 'entireConversation'>): boolean =>
  (entireConversation.findLast((turn) => turn.role === 'coach')?.node ?? null) === null;

/** Whether a language model took part, so that it can review what was said. */
export const hadModelCoach = ({ entireConversation }: Pick<Session, 'entireConversation'>): boolean =>
  entireConversation.every((turn) => turn.role !== 'coach') ||
  entireConversation.some((turn) => turn.role === 'coach' && turn.node === null);

/** Whether the coach must reply. A declined turn is the learner's to rephrase, and a wordless turn gets no reply. */
export function isCoachsTurn(session: Pick<Session, 'entireConversation'>): boolean {
  const last = lastTurnWithWords(session);
  return hasModelCoach(session) && !hasEnded(session) && last?.role !== 'coach' && last?.fitted !== false;
}
