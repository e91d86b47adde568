/** A language model behind OpenAI's protocol: OpenAI itself, Ollama, llama.cpp, vLLM and similar servers. */
import type { LanguageModelRequest, LanguageModel, Message, ModelEvent } from '@parley/coach/model';
import type { ReasoningEffort } from 'openai/resources/shared';
import type { z } from 'zod';
import { createOpenAiClient, type OpenAiAccess } from '../connection/client.ts';
import { parseAnswer, formatReminder } from './output-format.ts';
import { readContextLimit } from './context-length.ts';
import { askWithFitting, fitContext, shortenToFit, skipTooLong } from './fit-context.ts';
import { createProtocolFallback } from './protocol-fallback.ts';
import { createModelLoading } from './model-loading.ts';
import { malformedError } from '../connection/provider-error.ts';
import type { SendRequest } from './model-request.ts';
import { streamWithRetries, withRetries } from '../connection/retries.ts';
import { DEFAULT_TIMEOUTS, SELF_HOSTED_TIMEOUTS } from '../connection/timeouts.ts';

export interface OpenAiModelOptions extends OpenAiAccess {
  /** Reasoning effort. By default the least that is known for the model's name; null leaves it to the provider. */
  reasoningEffort?: ReasoningEffort;
  /** A self-hosted server such as Ollama or llama.cpp; requests are adapted to what it understands. */
  isSelfHosted?: boolean;
  /** The model may have to be loaded first. That happens in a request of its own, so a learner who leaves cannot abort it. */
  loadsModel?: boolean;
}

/** Create one per process, because it remembers which request variant its server understands. */
export function createOpenAiModel(options: OpenAiModelOptions): LanguageModel {
  const { model } = options;
  const { reasoningEffort, isSelfHosted = false, loadsModel = false } = options;
  const timeouts = { ...(isSelfHosted ? SELF_HOSTED_TIMEOUTS : DEFAULT_TIMEOUTS), ...options.timeouts };
  const client = createOpenAiClient(options);
  const protocols = createProtocolFallback({ client, model, timeouts, reasoningEffort, isSelfHosted });
  const loading = loadsModel ? createModelLoading({ client, model, timeouts }) : null;
  /** Ollama and llama.cpp ignore the output format over Responses but follow it over chat completions. */
  let askWithFormat = protocols.ask;

  async function* stream(request: LanguageModelRequest): AsyncGenerator<ModelEvent, void> {
    request.signal.throwIfAborted();
    await loading?.load(request.signal);
    const ask = (messages: LanguageModelRequest['messages']): AsyncIterable<ModelEvent> =>
      streamWithRetries(request.signal, timeouts, () => protocols.ask({ ...request, messages, format: null }));
    const fits = await readContextLimit({ client, model, isSelfHosted }, request);
    for await (const event of fitContext(shortenToFit(request.messages, fits), ask)) {
      loading?.markLoaded();
      yield event;
    }
  }

  async function structured<Shape extends z.ZodType>(
    request: LanguageModelRequest & { name: string; schema: Shape; shorterMessages?: readonly (readonly Message[])[] },
  ): Promise<{ value: z.infer<Shape> }> {
    const { signal, name, schema, shorterMessages = [] } = request;
    signal.throwIfAborted();
    const format = { name, schema };
    await loading?.load(signal);
    const fits = await readContextLimit({ client, model, isSelfHosted }, request);
    const variants = skipTooLong([request.messages, ...shorterMessages], fits);
    const askStructured = (ask: SendRequest, instructions: string): Promise<string> =>
      askWithFitting(variants, (messages) =>
        withRetries(signal, timeouts, () => collectText(ask({ ...request, messages, instructions, format }))),
      );
    const first = await askStructured(askWithFormat, request.instructions);
    loading?.markLoaded();
    const answer = parseAnswer(schema, first);
    if (answer.ok) return { value: answer.value };
    const fallback = protocols.askChatCompletions ?? askWithFormat;
    const second = await askStructured(fallback, `${request.instructions}\n\n${formatReminder(format, answer.error)}`);
    const secondAnswer = parseAnswer(schema, second);
    if (!secondAnswer.ok) throw malformedError('coach', 'an answer of another form, twice');
    askWithFormat = fallback;
    return { value: secondAnswer.value };
  }

  return { name: model, stream, structured, ...(loading === null ? {} : { loading }) };
}

async function collectText(events: AsyncIterable<ModelEvent>): Promise<string> {
  let text = '';
  for await (const event of events) if (event.type === 'text') text += event.text;
  return text;
}
