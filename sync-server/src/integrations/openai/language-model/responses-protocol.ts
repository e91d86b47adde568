/** Sends a request over OpenAI's Responses API. */
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
import { meterModelAnswer } from '../connection/usage-metering.ts';
import { openConnection } from '../connection/provider-connection.ts';
import { malformedError, ProviderError, providerErrorFromEvent } from '../connection/provider-error.ts';
import { type SendRequest, type DialogueTurn, toDialogue, type ModelRequest } from './model-request.ts';
import type { Timeouts } from '../connection/timeouts.ts';

/** OpenAI rejects a lower limit. */
const MIN_OUTPUT_TOKENS = 16;

export interface ProtocolOptions {
  client: OpenAI;
  model: string;
  timeouts: Timeouts;
  /** It is not sent when null, because models that do not reason reject it. */
  reasoningEffort: ReasoningEffort;
}

export const createResponsesProtocol =
  (options: ProtocolOptions): SendRequest =>
  (request) => {
    const body = requestBody(options, request);
    return meterModelAnswer(request, body, (report) => streamAnswer(body, { options, request, report }));
  };

async function* streamAnswer(
  body: ResponseCreateParamsStreaming,
  { options, request, report }: { options: ProtocolOptions; request: ModelRequest; report: (usage: Usage) => void },
): ReturnType<SendRequest> {
  const { client, timeouts } = options;
  const connection = openConnection('coach', request.signal, timeouts);
  const events = await connection.receive(client.responses.create(body, { signal: connection.signal }));
  const answer = { hasEvents: false, hasText: false, isWhole: false };
  for await (const event of connection.receiveAll<unknown>(events)) {
    answer.hasEvents = true;
    const parsed = answer.isWhole ? null : parseEvent(event);
    if (parsed === null) continue;
    if (parsed.type === 'response.output_text.delta') {
      if (parsed.delta === '') continue;
      answer.hasText = true;
      yield { type: 'text', text: parsed.delta };
    } else {
      const usage = toUsage(parsed);
      if (usage !== null) report(usage);
      throwIfFailed(parsed);
      if (!answer.hasText) throw malformedError('coach', 'an empty answer');
      answer.isWhole = true;
      connection.markAnswered();
      yield { type: 'done' };
    }
  }
  if (answer.isWhole) return;
  if (!answer.hasEvents) throw malformedError('coach', 'no event in the answer');
  throw new ProviderError('coach', 'unreachable', 'the answer was cut', { isTransient: true });
}

function requestBody(
  { model, reasoningEffort }: ProtocolOptions,
  request: ModelRequest,
): ResponseCreateParamsStreaming {
  const { format } = request;
  return {
    model,
    instructions: request.instructions,
    input: toDialogue(request.messages).map(toInputItem),
    max_output_tokens: Math.max(MIN_OUTPUT_TOKENS, request.maxOutputTokens),
    // The provider must not store what a learner said.
    store: false,
    stream: true,
    ...(reasoningEffort === null ? {} : { reasoning: { effort: reasoningEffort } }),
    ...(format === null ? {} : { text: { format: zodTextFormat(format.schema, format.name) } }),
  };
}

/**
 * llama.cpp rejects an assistant item without a type ("Cannot determine type of 'item'", ggml-org/llama.cpp#26394), and older versions of
 * vLLM misread one whose content is a plain string. OpenAI's document requires an id, a status and both lists for an item with parts.
 */
function toInputItem({ role, content }: DialogueTurn, index: number): ResponseInputItem {
  if (role === 'user') return { type: 'message', role, content };
  const part = { type: 'output_text' as const, text: content, annotations: [], logprobs: [] };
  return { id: `msg_${index}`, type: 'message', role, status: 'completed', content: [part] };
}

type EventType = ResponseStreamEvent['type'];

const TextDelta = z.object({ type: z.literal('response.output_text.delta' satisfies EventType), delta: z.string() });
const RefusalEvent = z.object({
  type: z.enum(['response.refusal.delta', 'response.refusal.done'] as const satisfies EventType[]),
});
const EndEvent = z.object({
  type: z.enum(['response.completed', 'response.incomplete', 'response.failed'] as const satisfies EventType[]),
  response: z.object({
    error: z.object({ code: z.string().nullish() }).nullish(),
    incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
    usage: z
      .object({
        input_tokens: z.number(),
        // Only OpenAI itself always sends it.
        input_tokens_details: z
          .object({ cached_tokens: z.number().nullish(), cache_write_tokens: z.number().nullish() })
          .nullish(),
        output_tokens: z.number(),
      })
      .nullish(),
  }),
});
const ErrorEvent = z.object({ type: z.literal('error' satisfies EventType), code: z.string().nullish() });
const KnownEvent = z.discriminatedUnion('type', [TextDelta, RefusalEvent, EndEvent, ErrorEvent]);
const UnknownEvent = z.object({ type: z.string() });

/** Returns null for events that carry nothing new. */
function parseEvent(event: unknown): z.infer<typeof TextDelta> | z.infer<typeof EndEvent> | null {
  const parsed = KnownEvent.safeParse(event);
  if (!parsed.success) {
    const { data } = UnknownEvent.safeParse(event);
    if (data === undefined || KnownEvent.def.options.some(({ shape }) => shape.type.safeParse(data.type).success))
      throw malformedError('coach', 'an event of another shape');
    return null;
  }
  switch (parsed.data.type) {
    case 'response.refusal.delta':
    case 'response.refusal.done':
      throw new ProviderError('coach', 'declined', 'a refusal');
    case 'error':
      throw providerErrorFromEvent('coach', parsed.data.code);
    default:
      return parsed.data;
  }
}

/** An answer that reached the requested token limit counts as complete. */
function throwIfFailed({ type, response }: z.infer<typeof EndEvent>): void {
  if (type === 'response.failed') throw providerErrorFromEvent('coach', response.error?.code);
  if (response.incomplete_details?.reason === 'content_filter')
    throw new ProviderError('coach', 'declined', 'content_filter');
}

/** A failed answer also reports usage; null when the server does not count. */
function toUsage({ response: { usage } }: z.infer<typeof EndEvent>): Usage | null {
  if (usage === null || usage === undefined) return null;
  const { cached_tokens: cached, cache_write_tokens: cacheWrite } = usage.input_tokens_details ?? {};
  return {
    input: usage.input_tokens,
    cached: cached ?? 0,
    ...(typeof cacheWrite === 'number' && cacheWrite > 0 && { cacheWrite }),
    output: usage.output_tokens,
  };
}
