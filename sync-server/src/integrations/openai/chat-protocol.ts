/** A question over the older chat completions, for servers that do not know Responses. */
import { zodResponseFormat } from 'openai/helpers/zod';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { Usage } from '@parley/coach/model';
import { z } from 'zod';
import { chargedAnswer } from './charge.ts';
import { openLine } from './line.ts';
import { malformed, ProviderTrouble } from './provider-trouble.ts';
import { type AskOnce, dialogueOf, type Question } from './question.ts';
import type { Asking } from './responses-protocol.ts';
import { describeForm } from './answer-form.ts';

/** How an answer is held to its form, best first; a server that refuses one is asked by the next. */
const MEANS = ['json_schema', 'json_object', 'words'] as const;
type Means = (typeof MEANS)[number];

interface ChatAsking extends Asking {
  isOwnServer: boolean;
}

/** Remembers by which means this server can be held to a form. */
export function askOverChat(asking: ChatAsking): AskOnce {
  let best = 0;
  return async function* ask(question) {
    for (let at = best; ; at += 1) {
      const means = MEANS[at] ?? 'words';
      try {
        for await (const event of askBy(means, asking, question)) {
          if (question.form !== null) best = at;
          yield event;
        }
        return;
      } catch (error) {
        const canStepDown = question.form !== null && means !== 'words' && isRefusedRequest(error);
        if (!canStepDown) throw error;
      }
    }
  };
}

const isRefusedRequest = (error: unknown): boolean =>
  error instanceof ProviderTrouble && (error.status === 400 || error.status === 422 || error.status === 501);

const Chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z
    .object({
      prompt_tokens: z.number(),
      prompt_tokens_details: z
        .object({ cached_tokens: z.number().nullish(), cache_write_tokens: z.number().nullish() })
        .nullish(),
      completion_tokens: z.number(),
    })
    .nullish(),
});

function askBy(means: Means, asking: ChatAsking, question: Question): ReturnType<AskOnce> {
  const body = bodyOf(means, asking, question);
  return chargedAnswer(question, body, (report) => answerTo(body, { asking, question, report }));
}

async function* answerTo(
  body: ChatCompletionCreateParamsStreaming,
  { asking, question, report }: { asking: Asking; question: Question; report: (usage: Usage) => void },
): ReturnType<AskOnce> {
  const { client, timeouts } = asking;
  const line = openLine(question.signal, timeouts);
  const chunks = await line.expect(client.chat.completions.create(body, { signal: line.signal }));
  const answer = { hasChunks: false, hasText: false, isFinished: false };
  for await (const chunk of line.follow<unknown>(chunks)) {
    answer.hasChunks = true;
    const heard = readChunk(chunk);
    if (heard.text !== '') {
      answer.hasText = true;
      yield { type: 'text', text: heard.text };
    }
    answer.isFinished ||= heard.isFinished;
    // It comes after the last word, in a chunk of its own.
    if (heard.usage !== null) report(heard.usage);
  }
  if (!answer.hasChunks) throw malformed('no chunk in the answer');
  if (!answer.isFinished) throw new ProviderTrouble('unreachable', 'the answer was cut', { isTransient: true });
  if (!answer.hasText) throw malformed('an empty answer');
  yield { type: 'done' };
}

function bodyOf(means: Means, asking: ChatAsking, question: Question): ChatCompletionCreateParamsStreaming {
  const { model, reasoningEffort, isOwnServer } = asking;
  const { form, maxOutputTokens } = question;
  // Older servers do not know `max_completion_tokens`, and OpenAI's models that reason refuse `max_tokens`.
  const isReasoning = !isOwnServer && /^(o\d|gpt-5)/.test(model);
  // A server that only knows of JSON is told in words which.
  const isTold = form !== null && means !== 'json_schema';
  const instructions = isTold ? `${question.instructions}\n\n${describeForm(form)}` : question.instructions;
  return {
    model,
    messages: [{ role: 'system', content: instructions }, ...dialogueOf(question.messages)],
    ...(isReasoning ? { max_completion_tokens: maxOutputTokens } : { max_tokens: maxOutputTokens }),
    ...(reasoningEffort === null ? {} : { reasoning_effort: reasoningEffort }),
    stream: true,
    stream_options: { include_usage: true },
    ...(form === null || means === 'words'
      ? {}
      : { response_format: means === 'json_schema' ? zodResponseFormat(form.schema, form.name) : { type: means } }),
  };
}

function readChunk(chunk: unknown): { text: string; isFinished: boolean; usage: Usage | null } {
  const { data } = Chunk.safeParse(chunk);
  if (data === undefined) throw malformed('a chunk of another shape');
  const [choice] = data.choices ?? [];
  const isRefused = (choice?.delta?.refusal ?? '') !== '' || choice?.finish_reason === 'content_filter';
  if (isRefused) throw new ProviderTrouble('declined', choice?.finish_reason ?? 'a refusal');
  return {
    text: choice?.delta?.content ?? '',
    isFinished: (choice?.finish_reason ?? null) !== null,
    usage: usageOf(data.usage ?? null),
  };
}

function usageOf(usage: NonNullable<z.infer<typeof Chunk>['usage']> | null): Usage | null {
  if (usage === null) return null;
  const { cached_tokens: cached, cache_write_tokens: cacheWrite } = usage.prompt_tokens_details ?? {};
  return {
    input: usage.prompt_tokens,
    cached: cached ?? 0,
    ...(typeof cacheWrite === 'number' && cacheWrite > 0 && { cacheWrite }),
    output: usage.completion_tokens,
  };
}
