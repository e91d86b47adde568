/** What a model is asked, before it is said in either of the provider's two protocols. */
import type { Asked, Message, ModelEvent } from '@parley/coach/model';
import type { z } from 'zod';

/** The shape that an answer must have. */
export interface AnswerForm {
  name: string;
  schema: z.ZodType;
}

export interface Question extends Pick<Asked, 'instructions' | 'messages' | 'maxOutputTokens' | 'signal' | 'used'> {
  /** Null where plain words will do. */
  form: AnswerForm | null;
}

/** One question over one protocol, once. Throws a `ProviderTrouble`, or what the signal says. */
export type AskOnce = (question: Question) => AsyncIterable<ModelEvent>;

/** Many models refuse a dialogue that is empty or that they begin themselves. */
const OPENING: Message = { role: 'learner', text: 'Begin.' };

export interface DialogueTurn {
  role: 'assistant' | 'user';
  content: string;
}

export function dialogueOf(messages: readonly Message[]): DialogueTurn[] {
  const whole = messages[0]?.role === 'learner' ? messages : [OPENING, ...messages];
  return whole.map(({ role, text }) => ({ role: role === 'coach' ? 'assistant' : 'user', content: text }));
}
