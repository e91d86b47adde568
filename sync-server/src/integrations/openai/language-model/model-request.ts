/** A request to a model, independent of the provider's two protocols. */
import type { LanguageModelRequest, Message, ModelEvent } from '@parley/coach/model';
import type { z } from 'zod';

/** A structured output: its name and schema. */
export interface OutputFormat {
  name: string;
  schema: z.ZodType;
}

export interface ModelRequest extends Pick<
  LanguageModelRequest,
  'instructions' | 'messages' | 'maxOutputTokens' | 'signal' | 'onUsage'
> {
  /** Null for plain text. */
  format: OutputFormat | null;
}

/** Sends one request over one protocol once. Throws a `ProviderError` or the signal's reason. */
export type SendRequest = (request: ModelRequest) => AsyncIterable<ModelEvent>;

/** Many models reject a dialogue that is empty or starts with the assistant. */
const OPENING_MESSAGE: Message = { role: 'learner', text: 'Begin.' };

export interface DialogueTurn {
  role: 'assistant' | 'user';
  content: string;
}

export function toDialogue(messages: readonly Message[]): DialogueTurn[] {
  const dialogue = messages[0]?.role === 'learner' ? messages : [OPENING_MESSAGE, ...messages];
  return dialogue.map(({ role, text }) => ({ role: role === 'coach' ? 'assistant' : 'user', content: text }));
}
