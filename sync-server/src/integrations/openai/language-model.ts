/** A language model behind OpenAI's protocol: OpenAI itself, or Ollama, llama.cpp, vLLM and their like. */
import type { Asked, LanguageModel, ModelEvent } from '@parley/coach/model';
import type { ReasoningEffort } from 'openai/resources/shared';
import type { z } from 'zod';
import { connectOpenAi, type OpenAiAccess } from './access.ts';
import { readAnswer, remindOfForm } from './answer-form.ts';
import { askOverChat } from './chat-protocol.ts';
import { asModelFailure, malformed, ProviderTrouble } from './provider-trouble.ts';
import type { AskOnce, Question } from './question.ts';
import { type Asking, askOverResponses } from './responses-protocol.ts';
import { streamWithRetries, withRetries } from './retries.ts';
import { DEFAULT_TIMEOUTS } from './timeouts.ts';

export interface OpenAiModelOptions extends OpenAiAccess {
  /** How long a model thinks before it speaks. By default as little as is known of its name; null leaves it to the provider. */
  reasoningEffort?: ReasoningEffort;
}

/** Create one for the process: it remembers which protocol its server speaks. */
export function createOpenAiModel(options: OpenAiModelOptions): LanguageModel {
  const { model } = options;
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const reasoningEffort = options.reasoningEffort === undefined ? effortOf(model) : options.reasoningEffort;
  const ask = askInKnownProtocol({ client: connectOpenAi(options), model, timeouts, reasoningEffort });

  async function* stream(asked: Asked): AsyncGenerator<ModelEvent, void> {
    asked.signal.throwIfAborted();
    try {
      yield* streamWithRetries(asked.signal, timeouts, () => ask({ ...asked, form: null }));
    } catch (error) {
      throw asModelFailure(error);
    }
  }

  async function structured<Shape extends z.ZodType>(
    asked: Asked & { name: string; schema: Shape },
  ): Promise<{ value: z.infer<Shape> }> {
    const { signal, name, schema } = asked;
    signal.throwIfAborted();
    const form = { name, schema };
    const hear = (instructions: string): Promise<string> =>
      withRetries(signal, timeouts, () => collect(ask({ ...asked, instructions, form })));
    try {
      const first = await hear(asked.instructions);
      const answer = readAnswer(schema, first);
      if (answer.ok) return { value: answer.value };
      const second = await hear(`${asked.instructions}\n\n${remindOfForm(form, answer.error)}`);
      const corrected = readAnswer(schema, second);
      if (!corrected.ok) throw malformed('an answer of another form, twice');
      return { value: corrected.value };
    } catch (error) {
      throw asModelFailure(error);
    }
  }

  return { name: model, stream, structured };
}

/** Responses first; chat completions for good where the server does not know the former and does answer the latter. */
function askInKnownProtocol(asking: Asking): AskOnce {
  const protocols = { responses: askOverResponses(asking), chat: askOverChat(asking) };
  let known: keyof typeof protocols | null = null;
  async function* askOver(protocol: keyof typeof protocols, question: Question): ReturnType<AskOnce> {
    for await (const event of protocols[protocol](question)) {
      known = protocol;
      yield event;
    }
  }
  return async function* ask(question) {
    const first = known ?? 'responses';
    try {
      yield* askOver(first, question);
    } catch (error) {
      const isUnknownPath = error instanceof ProviderTrouble && error.isUnknownPath;
      if (first === 'chat' || known === 'responses' || !isUnknownPath) throw error;
      yield* askOver('chat', question);
    }
  };
}

/** Of the models that think at length unless they are told not to; a learner waits for the first word. */
const effortOf = (model: string): ReasoningEffort => (/^gpt-5(-mini|-nano)?(-\d|$)/.test(model) ? 'minimal' : null);

async function collect(events: AsyncIterable<ModelEvent>): Promise<string> {
  let text = '';
  for await (const event of events) if (event.type === 'text') text += event.text;
  return text;
}
