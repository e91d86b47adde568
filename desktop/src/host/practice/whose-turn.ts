/** Who coaches a session, and who has the word in it: read off what was said. */
import { hasEnded, isWordless, type Session } from './session-rows.ts';

/** Guided lines stand in a dialogue; those of a live coach stand nowhere, and a live session begins without any. */
export const isLive = ({ entireConversation }: Pick<Session, 'entireConversation'>): boolean =>
  entireConversation.every((turn) => turn.role !== 'coach' || turn.node === null);

/** Whether the next word is the coach's, who answers nothing that nobody could write down. */
export const isCoachsTurn = (session: Pick<Session, 'entireConversation'>): boolean =>
  isLive(session) &&
  !hasEnded(session) &&
  session.entireConversation.findLast((turn) => !isWordless(turn))?.role !== 'coach';
