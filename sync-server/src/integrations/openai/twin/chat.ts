/** Chat completions: what they accept, and the chunks in which they answer. */
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParamsBase,
} from 'openai/resources/chat/completions/completions';
import { z } from 'zod';
import { piecesOf, type TwinAnswer, type TwinQuestion } from './answer.ts';
import { checkedAnswer } from './own-answers.ts';
import type { Frames } from './play.ts';
import type { Told } from './responses.ts';

/** What the twin can answer; the service takes more. */
const Asked = z.strictObject({
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

export interface ChatQuestion extends TwinQuestion {
  format: 'text' | 'json_object' | 'json_schema';
  saysUsage: boolean;
}

export const ChatQuestion = Asked.transform((asked): ChatQuestion => {
  const format = asked.response_format;
  const isOurs = ({ role }: { role: string }): boolean => role === 'system' || role === 'developer';
  const instructions = asked.messages.filter(isOurs).map(({ content }) => content);
  return {
    model: asked.model,
    instructions: instructions.join('\n'),
    messages: asked.messages
      .filter((message) => !isOurs(message))
      .map(({ role, content }) => ({ role, text: content })),
    maxOutputTokens: asked.max_tokens ?? asked.max_completion_tokens ?? null,
    effort: asked.reasoning_effort ?? null,
    form: format?.type === 'json_schema' ? format.json_schema.name : formInWords(instructions.join('\n')),
    schema: format?.type === 'json_schema' ? format.json_schema.schema : schemaInWords(instructions.join('\n')),
    stream: asked.stream ?? false,
    format: format?.type ?? 'text',
    saysUsage: asked.stream_options?.include_usage ?? false,
  };
});

/** A model that is not held to a schema can still read one, if it stands alone on its line. */
function schemaInWords(instructions: string): Record<string, unknown> | null {
  const line = instructions.split('\n').find((one) => one.startsWith('{') && one.includes('"type"'));
  if (line === undefined) return null;
  const { data } = z.record(z.string(), z.unknown()).safeParse(JSON.parse(line));
  return data ?? null;
}

const formInWords = (instructions: string): string | null => /\bIt is named (\w+)\b/.exec(instructions)?.[1] ?? null;

const finishOf = ({ ending }: TwinAnswer): 'stop' | 'length' | 'content_filter' => {
  if (ending === 'max_output_tokens') return 'length';
  return ending === 'content_filter' ? 'content_filter' : 'stop';
};

const usageOf = ({ tokens }: TwinAnswer): NonNullable<ChatCompletion['usage']> => ({
  prompt_tokens: tokens.input,
  prompt_tokens_details: { cached_tokens: tokens.cached },
  completion_tokens: tokens.output,
  completion_tokens_details: { reasoning_tokens: tokens.thought },
  total_tokens: tokens.input + tokens.output,
});

export const completionOf = ({ question, answer, number }: Told): ChatCompletion => ({
  id: `chatcmpl-twin-${number}`,
  object: 'chat.completion',
  created: 1_767_225_600,
  model: question.model,
  choices: [
    {
      index: 0,
      finish_reason: finishOf(answer),
      logprobs: null,
      message: {
        role: 'assistant',
        content: answer.ending === 'refused' ? null : answer.text,
        refusal: answer.ending === 'refused' ? answer.text : null,
      },
    },
  ],
  usage: usageOf(answer),
});

export const chunkFrames = (told: Told, { saysUsage }: ChatQuestion): Frames => ({
  contentType: 'text/event-stream; charset=utf-8',
  frames: encode(told, saysUsage),
});

function* encode(told: Told, saysUsage: boolean): Generator<string> {
  for (const chunk of chunksOf(told, saysUsage)) {
    const sent = checkedAnswer('CreateChatCompletionStreamResponse', chunk, told.isChecked);
    yield `data: ${JSON.stringify(sent)}\n\n`;
  }
  if (told.answer.ending === 'failed')
    yield `data: ${JSON.stringify({ error: { code: told.answer.code, message: 'The twin was told to fail.' } })}\n\n`;
  else yield 'data: [DONE]\n\n';
}

function* chunksOf({ question, answer, number }: Told, saysUsage: boolean): Generator<ChatCompletionChunk> {
  const chunk = (
    delta: ChatCompletionChunk.Choice.Delta,
    finish: ChatCompletionChunk.Choice['finish_reason'] = null,
  ): ChatCompletionChunk => ({
    id: `chatcmpl-twin-${number}`,
    object: 'chat.completion.chunk',
    created: 1_767_225_600,
    model: question.model,
    choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
  });
  yield chunk({ role: 'assistant', content: '' });
  // Servers of one's own tell a thought under a name that OpenAI does not have.
  for (const piece of piecesOf(answer.thought)) yield chunk({ reasoning_content: piece } as object);
  const isRefused = answer.ending === 'refused';
  for (const piece of piecesOf(answer.text)) yield chunk(isRefused ? { refusal: piece } : { content: piece });
  if (answer.ending === 'failed') return;
  yield chunk({}, finishOf(answer));
  if (saysUsage) yield { ...chunk({}), choices: [], usage: usageOf(answer) };
}
