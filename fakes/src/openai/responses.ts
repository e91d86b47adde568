/** The Responses endpoint: the requests it accepts and the events it answers. */
import type {
  Response,
  ResponseCreateParamsBase,
  ResponseOutputMessage,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { z } from 'zod';
import { splitIntoDeltas, type ModelAnswer, type RecordedModelRequest } from './model-answer.ts';
import { assertValidEvent } from './assert-valid-answer.ts';
import type { Frames } from './play.ts';

const Content = z.union([
  z.string(),
  z.array(z.object({ text: z.string() })).transform((parts) => parts.map(({ text }) => text).join('')),
]);

/**
 * What the fake can answer. The service accepts more, but a request that uses more must fail here instead of passing
 * unnoticed.
 */
const ResponsesRequestBody = z.strictObject({
  model: z.string().min(1),
  instructions: z.string().nullish(),
  input: z.union([
    z.string().transform((text) => [{ role: 'user', content: text }]),
    z.array(z.object({ role: z.enum(['user', 'assistant', 'system', 'developer']), content: Content })),
  ]),
  stream: z.boolean().nullish(),
  store: z.boolean().nullish(),
  max_output_tokens: z.number().nullish(),
  reasoning: z.object({ effort: z.string().nullish() }).nullish(),
  temperature: z.number().nullish(),
  text: z
    .object({
      format: z
        .discriminatedUnion('type', [
          z.object({ type: z.literal('text') }),
          z.object({ type: z.literal('json_object') }),
          z.object({
            type: z.literal('json_schema'),
            name: z.string(),
            schema: z.record(z.string(), z.unknown()),
            strict: z.boolean().nullish(),
          }),
        ])
        .nullish(),
    })
    .nullish(),
} satisfies Partial<Record<keyof ResponseCreateParamsBase, z.ZodType>>);

export const ResponsesRequest = ResponsesRequestBody.transform((body): RecordedModelRequest => ({
  model: body.model,
  instructions: body.instructions ?? '',
  messages: body.input.map(({ role, content }) => ({ role, text: content })),
  maxOutputTokens: body.max_output_tokens ?? null,
  reasoningEffort: body.reasoning?.effort ?? null,
  formatName: body.text?.format?.type === 'json_schema' ? body.text.format.name : null,
  schema: body.text?.format?.type === 'json_schema' ? body.text.format.schema : null,
  stream: body.stream ?? false,
}));

/** `output_text` is added by the client; `access_programs` is in the client but not in the published document. */
type WireResponse = Omit<Response, 'output_text' | 'access_programs'>;
type WireForm<Event> = Event extends { response: Response }
  ? Omit<Event, 'response'> & { response: WireResponse }
  : Event;
type WireEvent = WireForm<ResponseStreamEvent>;
/** Sequence numbers are added when all events are in order. */
type Unnumbered<Event> = Event extends unknown ? Omit<Event, 'sequence_number'> : never;

export interface CompletedAnswer {
  question: RecordedModelRequest;
  answer: ModelAnswer;
  /** Counts requests, so that answers differ in their ids and nothing else. */
  number: number;
  /** Whether the answer must match OpenAI's document: not when the fake imitates another server or was told to fail. */
  isChecked: boolean;
}

export function toResponse({ question, answer, number }: CompletedAnswer): WireResponse {
  const { tokens, ending } = answer;
  const status = ending === 'failed' ? 'failed' : isIncomplete(answer) ? 'incomplete' : 'completed';
  return {
    ...emptyResponse(question, number),
    status,
    output: [toOutputMessage(answer, number)],
    error: ending === 'failed' ? { code: answer.code as ErrorCode, message: 'The fake was told to fail.' } : null,
    incomplete_details: ending === 'max_output_tokens' || ending === 'content_filter' ? { reason: ending } : null,
    usage: {
      input_tokens: tokens.input,
      input_tokens_details: { cached_tokens: tokens.cached, cache_write_tokens: 0 },
      output_tokens: tokens.output,
      output_tokens_details: { reasoning_tokens: tokens.thought },
      total_tokens: tokens.input + tokens.output,
    },
  };
}

type ErrorCode = NonNullable<Response['error']>['code'];

const isIncomplete = ({ ending }: ModelAnswer): boolean =>
  ending === 'max_output_tokens' || ending === 'content_filter';

const emptyResponse = ({ model, maxOutputTokens }: RecordedModelRequest, number: number): WireResponse => ({
  id: `resp_fake_${number}`,
  object: 'response',
  created_at: 1_767_225_600,
  status: 'in_progress',
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: maxOutputTokens,
  metadata: {},
  model,
  output: [],
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
});

const toOutputMessage = (answer: ModelAnswer, number: number): ResponseOutputMessage => ({
  id: `msg_fake_${number}`,
  type: 'message',
  role: 'assistant',
  status: isIncomplete(answer) ? 'incomplete' : 'completed',
  content: [toContentPart(answer)],
});

const toContentPart = ({ ending, text }: ModelAnswer): ResponseOutputMessage['content'][number] =>
  ending === 'refused'
    ? { type: 'refusal', refusal: text }
    : { type: 'output_text', text, annotations: [], logprobs: [] };

/** Yields the events in the order in which OpenAI sends them. */
export function responseFrames(completed: CompletedAnswer): Frames {
  return {
    contentType: 'text/event-stream; charset=utf-8',
    frames: encode(responseEvents(completed), completed.isChecked),
  };
}

function* encode(events: Iterable<Unnumbered<WireEvent>>, isChecked: boolean): Generator<string> {
  let number = 0;
  for (const event of events) {
    const sent = assertValidEvent('ResponseStreamEvent', { ...event, sequence_number: number }, isChecked);
    yield `event: ${event.type}\ndata: ${JSON.stringify(sent)}\n\n`;
    number += 1;
  }
}

function* responseEvents(completed: CompletedAnswer): Generator<Unnumbered<WireEvent>> {
  const { question, answer, number } = completed;
  const response = emptyResponse(question, number);
  yield { type: 'response.created', response };
  yield { type: 'response.in_progress', response };
  for (const delta of splitIntoDeltas(answer.thought))
    yield {
      type: 'response.reasoning_text.delta',
      item_id: `rs_fake_${number}`,
      output_index: 0,
      content_index: 0,
      delta,
    };
  const startedItem = { ...toOutputMessage(answer, number), status: 'in_progress' as const, content: [] };
  yield { type: 'response.output_item.added', output_index: 0, item: startedItem };
  yield* textEvents(answer, startedItem.id);
  if (answer.ending === 'failed') yield* failureEvents(completed);
  else {
    yield { type: 'response.output_item.done', output_index: 0, item: toOutputMessage(answer, number) };
    yield {
      type: isIncomplete(answer) ? 'response.incomplete' : 'response.completed',
      response: toResponse(completed),
    };
  }
}

function* textEvents(answer: ModelAnswer, itemId: string): Generator<Unnumbered<WireEvent>> {
  const at = { item_id: itemId, output_index: 0, content_index: 0 };
  const { text } = answer;
  yield { ...at, type: 'response.content_part.added', part: toContentPart({ ...answer, text: '' }) };
  const isRefused = answer.ending === 'refused';
  for (const delta of splitIntoDeltas(text)) {
    if (isRefused) yield { ...at, type: 'response.refusal.delta', delta };
    else yield { ...at, type: 'response.output_text.delta', delta, logprobs: [] };
  }
  if (answer.ending === 'failed') return;
  if (isRefused) yield { ...at, type: 'response.refusal.done', refusal: text };
  else yield { ...at, type: 'response.output_text.done', text, logprobs: [] };
  yield { ...at, type: 'response.content_part.done', part: toContentPart(answer) };
}

function* failureEvents(completed: CompletedAnswer): Generator<Unnumbered<WireEvent>> {
  const { code, isBareError } = completed.answer;
  const error = { code, message: 'The fake was told to fail.', param: null };
  // OpenAI also sends within `error` the fields that its types declare at the top level.
  const bare = { type: 'error' as const, ...error, error };
  if (isBareError) yield bare;
  else yield { type: 'response.failed', response: toResponse(completed) };
}
