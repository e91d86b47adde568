/** Replaces a reply that must not be spoken with a neutral sentence that fits any scene. */
import type { ConversationState } from '../../coach.ts';
import { truncateText } from '../../text/truncate-text.ts';
import { visibleText } from '../safety/normalise-text.ts';

const MAX_QUESTION = 300;

/** Repeats the coach's last question. */
export function fallbackReply({ turns }: ConversationState): string {
  const lastCoachText = visibleText(turns.findLast((turn) => turn.role === 'coach')?.text ?? '');
  const question = /[^.!?]*\?(?=[^?]*$)/.exec(lastCoachText)?.[0].trim();
  return question === undefined || question === '?'
    ? 'Let us go on with our conversation. What would you like to say?'
    : `Let us go back to our conversation. ${truncateText(question, MAX_QUESTION)}`;
}

export const FALLBACK_GOODBYE = 'Thank you for talking with me today. Goodbye!';
