/** Who coaches a session, and who has the word in it: read off what was said. */
import { hasEnded, lastWords, type Session } from './session-rows.ts';

/** Guided lines stand in a dialogue; those of a live coach stand nowhere, and a live session begins without any. */
export const isLive = ({ entireConversation }: Pick<Session, 'entireConversation'>): boolean =>
  entireConversation.every((turn) => turn.role !== 'coach' || turn.node === null);

/** Whether the next word is the coach's. What a coach would not answer, the learner says another way; what has no words, nobody answers. */
export function isCoachsTurn(session: Pick<Session, 'entireConversation'>): boolean {
  const last = lastWords(session);
  return isLive(session) && !hasEnded(session) && last?.role !== 'coach' && last?.fitted !== false;
}
