/** A question over OpenAI's Responses API. */
import type { OpenAI } from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import type {
  ResponseCreateParamsStreaming,
  ResponseInputItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import type { ReasoningEffort } from 'openai/resources/shared';
import type { Usage } from '@parley/coach/model';
import { z } from 'zod';
import { chargedAnswer } from './charge.ts';
import { openLine } from './line.ts';
import { malformed, ProviderTrouble, troubleOfEvent } from './provider-trouble.ts';
import { type AskOnce, type DialogueTurn, dialogueOf, type Question } from './question.ts';
import type { Timeouts } from './timeouts.ts';

/** OpenAI refuses a lower limit. */
const LEAST_OUTPUT_TOKENS = 16;

export interface Asking {
  client: OpenAI;
  model: string;
  timeouts: Timeouts;
  /** Not sent where null: models that do not reason refuse it. */
  reasoningEffort: ReasoningEffort;
}

export const askOverResponses =
  (asking: Asking): AskOnce =>
  (question) => {
    const body = bodyOf(asking, question);
    return chargedAnswer(question, body, (report) => answerTo(body, { asking, question, report }));
  };

async function* answerTo(
  body: ResponseCreateParamsStreaming,
  { asking, question, report }: { asking: Asking; question: Question; report: (usage: Usage) => void },
): ReturnType<AskOnce> {
  const { client, timeouts } = asking;
  const line = openLine(question.signal, timeouts);
  const events = await line.expect(client.responses.create(body, { signal: line.signal }));
  const answer = { hasEvents: false, hasText: false, isWhole: false };
  for await (const event of line.follow<unknown>(events)) {
    answer.hasEvents = true;
    const heard = answer.isWhole ? null : readEvent(event);
    if (heard === null) continue;
    if (heard.type === 'response.output_text.delta') {
      if (heard.delta === '') continue;
      answer.hasText = true;
      yield { type: 'text', text: heard.delta };
    } else {
      const usage = usageOf(heard);
      if (usage !== null) report(usage);
      checkEnding(heard);
      if (!answer.hasText) throw malformed('an empty answer');
      answer.isWhole = true;
      line.answered();
      yield { type: 'done' };
    }
  }
  if (answer.isWhole) return;
  if (!answer.hasEvents) throw malformed('no event in the answer');
  throw new ProviderTrouble('unreachable', 'the answer was cut', { isTransient: true });
}

function bodyOf({ model, reasoningEffort }: Asking, question: Question): ResponseCreateParamsStreaming {
  const { form } = question;
  return {
    model,
    instructions: question.instructions,
    input: dialogueOf(question.messages).map(itemOf),
    max_output_tokens: Math.max(LEAST_OUTPUT_TOKENS, question.maxOutputTokens),
    // What a learner said is not kept with the provider.
    store: false,
    stream: true,
    ...(reasoningEffort === null ? {} : { reasoning: { effort: reasoningEffort } }),
    ...(form === null ? {} : { text: { format: zodTextFormat(form.schema, form.name) } }),
  };
}

/**
 * llama.cpp refuses an item of the assistant without a type ("Cannot determine type of 'item'", ggml-org/llama.cpp#26394), and older versions
 * of vLLM misread one whose content is a bare string. OpenAI's document wants an id, a status and both lists of an item with parts.
 */
function itemOf({ role, content }: DialogueTurn, index: number): ResponseInputItem {
  if (role === 'user') return { type: 'message', role, content };
  const part = { type: 'output_text' as const, text: content, annotations: [], logprobs: [] };
  return { id: `msg_${index}`, type: 'message', role, status: 'completed', content: [part] };
}

type EventType = ResponseStreamEvent['type'];

const Text = z.object({ type: z.literal('response.output_text.delta' satisfies EventType), delta: z.string() });
const Refused = z.object({
  type: z.enum(['response.refusal.delta', 'response.refusal.done'] as const satisfies EventType[]),
});
const Ended = z.object({
  type: z.enum(['response.completed', 'response.incomplete', 'response.failed'] as const satisfies EventType[]),
  response: z.object({
    error: z.object({ code: z.string().nullish() }).nullish(),
    incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
    usage: z
      .object({
        input_tokens: z.number(),
        // Only OpenAI itself says it always.
        input_tokens_details: z
          .object({ cached_tokens: z.number().nullish(), cache_write_tokens: z.number().nullish() })
          .nullish(),
        output_tokens: z.number(),
      })
      .nullish(),
  }),
});
const Failed = z.object({ type: z.literal('error' satisfies EventType), code: z.string().nullish() });
const Heard = z.discriminatedUnion('type', [Text, Refused, Ended, Failed]);
const Unheard = z.object({ type: z.string() });

/** Null for the many events that say nothing new. */
function readEvent(event: unknown): z.infer<typeof Text> | z.infer<typeof Ended> | null {
  const heard = Heard.safeParse(event);
  if (!heard.success) {
    const { data } = Unheard.safeParse(event);
    if (data === undefined || Heard.def.options.some(({ shape }) => shape.type.safeParse(data.type).success))
      throw malformed('an event of another shape');
    return null;
  }
  switch (heard.data.type) {
    case 'response.refusal.delta':
    case 'response.refusal.done':
      throw new ProviderTrouble('declined', 'a refusal');
    case 'error':
      throw troubleOfEvent(heard.data.code);
    default:
      return heard.data;
  }
}

/** An answer that reached the limit which the asker set is whole. */
function checkEnding({ type, response }: z.infer<typeof Ended>): void {
  if (type === 'response.failed') throw troubleOfEvent(response.error?.code);
  if (response.incomplete_details?.reason === 'content_filter') throw new ProviderTrouble('declined', 'content_filter');
}

/** Said also of an answer that failed; null where a server does not count. */
function usageOf({ response: { usage } }: z.infer<typeof Ended>): Usage | null {
  if (usage === null || usage === undefined) return null;
  const { cached_tokens: cached, cache_write_tokens: cacheWrite } = usage.input_tokens_details ?? {};
  return {
    input: usage.input_tokens,
    cached: cached ?? 0,
    ...(typeof cacheWrite === 'number' && cacheWrite > 0 && { cacheWrite }),
    output: usage.output_tokens,
  };
}
