/** The Responses API: what it accepts, and the events in which it answers. */
import type {
  Response,
  ResponseCreateParamsBase,
  ResponseOutputMessage,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import { z } from 'zod';
import { piecesOf, type TwinAnswer, type TwinQuestion } from './answer.ts';
import { checkedEvent } from './own-answers.ts';
import type { Frames } from './play.ts';

const Content = z.union([
  z.string(),
  z.array(z.object({ text: z.string() })).transform((parts) => parts.map(({ text }) => text).join('')),
]);

/** What the twin can answer. The service takes more, but a request of ours that asks for more would not get it from the twin. */
const Asked = z.strictObject({
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

export const ResponsesQuestion = Asked.transform((asked): TwinQuestion => ({
  model: asked.model,
  instructions: asked.instructions ?? '',
  messages: asked.input.map(({ role, content }) => ({ role, text: content })),
  maxOutputTokens: asked.max_output_tokens ?? null,
  effort: asked.reasoning?.effort ?? null,
  form: asked.text?.format?.type === 'json_schema' ? asked.text.format.name : null,
  schema: asked.text?.format?.type === 'json_schema' ? asked.text.format.schema : null,
  stream: asked.stream ?? false,
}));

/** `output_text` is the client's own and does not travel; `access_programs` is in the client and not in the published document. */
type SentResponse = Omit<Response, 'output_text' | 'access_programs'>;
type Sent<Event> = Event extends { response: Response } ? Omit<Event, 'response'> & { response: SentResponse } : Event;
type SentEvent = Sent<ResponseStreamEvent>;
/** Numbers are given when all events stand in a row. */
type Unnumbered<Event> = Event extends unknown ? Omit<Event, 'sequence_number'> : never;

export interface Told {
  question: TwinQuestion;
  answer: TwinAnswer;
  /** Counts calls, so that answers differ in their ids and in nothing else. */
  number: number;
  /** Whether the answer must keep to OpenAI's document: not where the twin speaks another server's dialect or was told to fail. */
  isChecked: boolean;
}

export function responseOf({ question, answer, number }: Told): SentResponse {
  const { tokens, ending } = answer;
  const status = ending === 'failed' ? 'failed' : isCut(answer) ? 'incomplete' : 'completed';
  return {
    ...emptyResponse(question, number),
    status,
    output: [messageOf(answer, number)],
    error: ending === 'failed' ? { code: answer.code as ErrorCode, message: 'The twin was told to fail.' } : null,
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

const isCut = ({ ending }: TwinAnswer): boolean => ending === 'max_output_tokens' || ending === 'content_filter';

const emptyResponse = ({ model, maxOutputTokens }: TwinQuestion, number: number): SentResponse => ({
  id: `resp_twin_${number}`,
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

const messageOf = (answer: TwinAnswer, number: number): ResponseOutputMessage => ({
  id: `msg_twin_${number}`,
  type: 'message',
  role: 'assistant',
  status: isCut(answer) ? 'incomplete' : 'completed',
  content: [partOf(answer)],
});

const partOf = ({ ending, text }: TwinAnswer): ResponseOutputMessage['content'][number] =>
  ending === 'refused'
    ? { type: 'refusal', refusal: text }
    : { type: 'output_text', text, annotations: [], logprobs: [] };

/** In the order in which OpenAI sends them. */
export function responseFrames(told: Told): Frames {
  return { contentType: 'text/event-stream; charset=utf-8', frames: encode(eventsOf(told), told.isChecked) };
}

function* encode(events: Iterable<Unnumbered<SentEvent>>, isChecked: boolean): Generator<string> {
  let number = 0;
  for (const event of events) {
    const sent = checkedEvent('ResponseStreamEvent', { ...event, sequence_number: number }, isChecked);
    yield `event: ${event.type}\ndata: ${JSON.stringify(sent)}\n\n`;
    number += 1;
  }
}

function* eventsOf(told: Told): Generator<Unnumbered<SentEvent>> {
  const { question, answer, number } = told;
  const response = emptyResponse(question, number);
  yield { type: 'response.created', response };
  yield { type: 'response.in_progress', response };
  for (const delta of piecesOf(answer.thought))
    yield {
      type: 'response.reasoning_text.delta',
      item_id: `rs_twin_${number}`,
      output_index: 0,
      content_index: 0,
      delta,
    };
  const begun = { ...messageOf(answer, number), status: 'in_progress' as const, content: [] };
  yield { type: 'response.output_item.added', output_index: 0, item: begun };
  yield* wordsOf(answer, begun.id);
  if (answer.ending === 'failed') yield* failureOf(told);
  else {
    yield { type: 'response.output_item.done', output_index: 0, item: messageOf(answer, number) };
    yield { type: isCut(answer) ? 'response.incomplete' : 'response.completed', response: responseOf(told) };
  }
}

function* wordsOf(answer: TwinAnswer, itemId: string): Generator<Unnumbered<SentEvent>> {
  const at = { item_id: itemId, output_index: 0, content_index: 0 };
  const { text } = answer;
  yield { ...at, type: 'response.content_part.added', part: partOf({ ...answer, text: '' }) };
  const isRefused = answer.ending === 'refused';
  for (const delta of piecesOf(text)) {
    if (isRefused) yield { ...at, type: 'response.refusal.delta', delta };
    else yield { ...at, type: 'response.output_text.delta', delta, logprobs: [] };
  }
  if (answer.ending === 'failed') return;
  if (isRefused) yield { ...at, type: 'response.refusal.done', refusal: text };
  else yield { ...at, type: 'response.output_text.done', text, logprobs: [] };
  yield { ...at, type: 'response.content_part.done', part: partOf(answer) };
}

function* failureOf(told: Told): Generator<Unnumbered<SentEvent>> {
  const { code, isBareError } = told.answer;
  const error = { code, message: 'The twin was told to fail.', param: null };
  // OpenAI sends what its types say within `error`, too.
  const bare = { type: 'error' as const, ...error, error };
  if (isBareError) yield bare;
  else yield { type: 'response.failed', response: responseOf(told) };
}
