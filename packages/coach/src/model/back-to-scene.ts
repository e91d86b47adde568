/** What a coach says in place of an answer that must not be said: something that any person in any scene may say. */
import type { Held } from '../coach.ts';
import { cutText } from '../cut-text.ts';
import { visibleText } from './visible-text.ts';

const MAX_QUESTION = 300;

/** Asks again what the coach had asked last. */
export function backToScene({ turns }: Held): string {
  const said = visibleText(turns.findLast((turn) => turn.role === 'coach')?.text ?? '');
  const question = /[^.!?]*\?(?=[^?]*$)/.exec(said)?.[0].trim();
  return question === undefined || question === '?'
    ? 'Let us go on with our conversation. What would you like to say?'
    : `Let us go back to our conversation. ${cutText(question, MAX_QUESTION)}`;
}

export const GOODBYE_LINE = 'Thank you for talking with me today. Goodbye!';
