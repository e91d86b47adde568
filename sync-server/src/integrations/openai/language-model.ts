/** A language model behind OpenAI's protocol: OpenAI itself, or Ollama, llama.cpp, vLLM and their like. */
import type { Asked, LanguageModel, ModelEvent } from '@parley/coach/model';
import type { ReasoningEffort } from 'openai/resources/shared';
import type { z } from 'zod';
import { connectOpenAi, type OpenAiAccess } from './access.ts';
import { readAnswer, remindOfForm } from './answer-form.ts';
import { createDialects } from './dialects.ts';
import { createModelLoading } from './model-loading.ts';
import { asModelFailure, malformed } from './provider-trouble.ts';
import type { AskOnce } from './question.ts';
import { streamWithRetries, withRetries } from './retries.ts';
import { DEFAULT_TIMEOUTS, OWN_SERVER_TIMEOUTS } from './timeouts.ts';

export interface OpenAiModelOptions extends OpenAiAccess {
  /** How long a model thinks before it speaks. By default as little as is known of its name; null leaves it to the provider. */
  reasoningEffort?: ReasoningEffort;
  /** Ollama, llama.cpp and their like rather than OpenAI: questions are put in the form that the server understands. */
  isOwnServer?: boolean;
  /** Its model may have to be brought into memory first: that is done by a request of its own, which no learner who leaves can end. */
  loadsModel?: boolean;
}

/** Create one for the process: it remembers which form of a question its server understands. */
export function createOpenAiModel(options: OpenAiModelOptions): LanguageModel {
  const { model } = options;
  const { reasoningEffort, isOwnServer = false, loadsModel = false } = options;
  const timeouts = { ...(isOwnServer ? OWN_SERVER_TIMEOUTS : DEFAULT_TIMEOUTS), ...options.timeouts };
  const client = connectOpenAi(options);
  const dialects = createDialects({ client, model, timeouts, reasoningEffort, isOwnServer });
  const loading = loadsModel ? createModelLoading({ client, model, timeouts }) : null;
  /** Ollama and llama.cpp ignore the form of an answer over Responses, and hold to it over chat completions. */
  let askInForm = dialects.ask;

  async function* stream(asked: Asked): AsyncGenerator<ModelEvent, void> {
    asked.signal.throwIfAborted();
    try {
      await loading?.load(asked.signal);
      for await (const event of streamWithRetries(asked.signal, timeouts, () =>
        dialects.ask({ ...asked, form: null }),
      )) {
        loading?.answered();
        yield event;
      }
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
    const hear = (ask: AskOnce, instructions: string): Promise<string> =>
      withRetries(signal, timeouts, () => collect(ask({ ...asked, instructions, form })));
    try {
      await loading?.load(signal);
      const first = await hear(askInForm, asked.instructions);
      loading?.answered();
      const answer = readAnswer(schema, first);
      if (answer.ok) return { value: answer.value };
      const otherWay = dialects.askOverChat ?? askInForm;
      const second = await hear(otherWay, `${asked.instructions}\n\n${remindOfForm(form, answer.error)}`);
      const corrected = readAnswer(schema, second);
      if (!corrected.ok) throw malformed('an answer of another form, twice');
      askInForm = otherWay;
      return { value: corrected.value };
    } catch (error) {
      throw asModelFailure(error);
    }
  }

  return { name: model, stream, structured, ...(loading === null ? {} : { loading }) };
}

async function collect(events: AsyncIterable<ModelEvent>): Promise<string> {
  let text = '';
  for await (const event of events) if (event.type === 'text') text += event.text;
  return text;
}
