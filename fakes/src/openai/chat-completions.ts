/** The chat completions endpoint: the requests it accepts and the chunks it answers. */
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParamsBase,
} from 'openai/resources/chat/completions/completions';
import { z } from 'zod';
import { splitIntoDeltas, type ModelAnswer, type RecordedModelRequest } from './model-answer.ts';
import { assertValidAnswer } from './assert-valid-answer.ts';
import type { Frames } from './play.ts';
import type { CompletedAnswer } from './responses.ts';

/** What the fake can answer; the service accepts more. */
const ChatRequestBody = z.strictObject({
  model: z.string().min(1),
  messages: z.array(z.object({ role: z.enum(['system', 'developer', 'user', 'assistant']), content: z.string() })),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().optional() }).nullish(),
  max_tokens: z.number().nullish(),
  max_completion_tokens: z.number().nullish(),
  reasoning_effort: z.string().nullish(),
  temperature: z.number().nullish(),
  response_format: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('text') }),
      z.object({ type: z.literal('json_object') }),
      z.object({
        type: z.literal('json_schema'),
        json_schema: z.object({
          name: z.string(),
          schema: z.record(z.string(), z.unknown()),
          strict: z.boolean().nullish(),
        }),
      }),
    ])
    .nullish(),
} satisfies Partial<Record<keyof ChatCompletionCreateParamsBase, z.ZodType>>);

export interface ChatRequest extends RecordedModelRequest {
  format: 'text' | 'json_object' | 'json_schema';
  includesUsage: boolean;
}

export const ChatRequest = ChatRequestBody.transform((body): ChatRequest => {
  const format = body.response_format;
  const isInstruction = ({ role }: { role: string }): boolean => role === 'system' || role === 'developer';
  const instructions = body.messages.filter(isInstruction).map(({ content }) => content);
  return {
    model: body.model,
    instructions: instructions.join('\n'),
    messages: body.messages
      .filter((message) => !isInstruction(message))
      .map(({ role, content }) => ({ role, text: content })),
    maxOutputTokens: body.max_tokens ?? body.max_completion_tokens ?? null,
    reasoningEffort: body.reasoning_effort ?? null,
    formatName:
      format?.type === 'json_schema' ? format.json_schema.name : formatNameInInstructions(instructions.join('\n')),
    schema: format?.type === 'json_schema' ? format.json_schema.schema : schemaInInstructions(instructions.join('\n')),
    stream: body.stream ?? false,
    format: format?.type ?? 'text',
    includesUsage: body.stream_options?.include_usage ?? false,
  };
});

/** A model without schema support can still read a schema from its instructions when it is alone on a line. */
function schemaInInstructions(instructions: string): Record<string, unknown> | null {
  const line = instructions.split('\n').find((one) => one.startsWith('{') && one.includes('"type"'));
  if (line === undefined) return null;
  const { data } = z.record(z.string(), z.unknown()).safeParse(JSON.parse(line));
  return data ?? null;
}

const formatNameInInstructions = (instructions: string): string | null =>
  /\bIt is named (\w+)\b/.exec(instructions)?.[1] ?? null;

const finishReason = ({ ending }: ModelAnswer): 'stop' | 'length' | 'content_filter' => {
  if (ending === 'max_output_tokens') return 'length';
  return ending === 'content_filter' ? 'content_filter' : 'stop';
};

const toChatUsage = ({ tokens }: ModelAnswer): NonNullable<ChatCompletion['usage']> => ({
  prompt_tokens: tokens.input,
  prompt_tokens_details: { cached_tokens: tokens.cached },
  completion_tokens: tokens.output,
  completion_tokens_details: { reasoning_tokens: tokens.thought },
  total_tokens: tokens.input + tokens.output,
});

export const toChatCompletion = ({ question, answer, number }: CompletedAnswer): ChatCompletion => ({
  id: `chatcmpl-fake-${number}`,
  object: 'chat.completion',
  created: 1_767_225_600,
  model: question.model,
  choices: [
    {
      index: 0,
      finish_reason: finishReason(answer),
      logprobs: null,
      message: {
        role: 'assistant',
        content: answer.ending === 'refused' ? null : answer.text,
        refusal: answer.ending === 'refused' ? answer.text : null,
      },
    },
  ],
  usage: toChatUsage(answer),
});

export const chatChunkFrames = (completed: CompletedAnswer, { includesUsage }: ChatRequest): Frames => ({
  contentType: 'text/event-stream; charset=utf-8',
  frames: encode(completed, includesUsage),
});

function* encode(completed: CompletedAnswer, includesUsage: boolean): Generator<string> {
  for (const chunk of chatChunks(completed, includesUsage)) {
    const sent = assertValidAnswer('CreateChatCompletionStreamResponse', chunk, completed.isChecked);
    yield `data: ${JSON.stringify(sent)}\n\n`;
  }
  if (completed.answer.ending === 'failed')
    yield `data: ${JSON.stringify({ error: { code: completed.answer.code, message: 'The fake was told to fail.' } })}\n\n`;
  else yield 'data: [DONE]\n\n';
}

function* chatChunks(
  { question, answer, number }: CompletedAnswer,
  includesUsage: boolean,
): Generator<ChatCompletionChunk> {
  const chunk = (
    delta: ChatCompletionChunk.Choice.Delta,
    finish: ChatCompletionChunk.Choice['finish_reason'] = null,
  ): ChatCompletionChunk => ({
    id: `chatcmpl-fake-${number}`,
    object: 'chat.completion.chunk',
    created: 1_767_225_600,
    model: question.model,
    choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
  });
  yield chunk({ role: 'assistant', content: '' });
  // Self-hosted servers send reasoning under a name that OpenAI does not have.
  for (const piece of splitIntoDeltas(answer.thought)) yield chunk({ reasoning_content: piece } as object);
  const isRefused = answer.ending === 'refused';
  for (const piece of splitIntoDeltas(answer.text)) yield chunk(isRefused ? { refusal: piece } : { content: piece });
  if (answer.ending === 'failed') return;
  yield chunk({}, finishReason(answer));
  if (includesUsage) yield { ...chunk({}), choices: [], usage: toChatUsage(answer) };
}
