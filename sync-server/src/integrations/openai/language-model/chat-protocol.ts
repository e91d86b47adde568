/** Sends a request over chat completions, for servers that do not support Responses. */
import { zodResponseFormat } from 'openai/helpers/zod';
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { Usage } from '@parley/coach/model';
import { z } from 'zod';
import { meterModelAnswer } from '../connection/usage-metering.ts';
import { openConnection } from '../connection/provider-connection.ts';
import { malformedError, ProviderError } from '../connection/provider-error.ts';
import { type SendRequest, toDialogue, type ModelRequest } from './model-request.ts';
import type { ProtocolOptions } from './responses-protocol.ts';
import { formatInstructions } from './output-format.ts';

/** Ways to enforce the output format, best first. When a server rejects one, the next is used. */
const FORMAT_MODES = ['json_schema', 'json_object', 'words'] as const;
type FormatMode = (typeof FORMAT_MODES)[number];

interface ChatProtocolOptions extends ProtocolOptions {
  isOwnServer: boolean;
}

/** Remembers which format mode this server accepts. */
export function createChatProtocol(options: ChatProtocolOptions): SendRequest {
  let modeIndex = 0;
  return async function* ask(request) {
    for (let index = modeIndex; ; index += 1) {
      const mode = FORMAT_MODES[index] ?? 'words';
      try {
        for await (const event of sendInMode(mode, options, request)) {
          if (request.format !== null) modeIndex = index;
          yield event;
        }
        return;
      } catch (error) {
        const canFallBack = request.format !== null && mode !== 'words' && isRejectedRequest(error);
        if (!canFallBack) throw error;
      }
    }
  };
}

const isRejectedRequest = (error: unknown): boolean =>
  error instanceof ProviderError &&
  !error.isTooLong &&
  (error.status === 400 || error.status === 422 || error.status === 501);

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

function sendInMode(mode: FormatMode, options: ChatProtocolOptions, request: ModelRequest): ReturnType<SendRequest> {
  const body = requestBody(mode, options, request);
  return meterModelAnswer(request, body, (report) => streamAnswer(body, { options, request, report }));
}

async function* streamAnswer(
  body: ChatCompletionCreateParamsStreaming,
  { options, request, report }: { options: ProtocolOptions; request: ModelRequest; report: (usage: Usage) => void },
): ReturnType<SendRequest> {
  const { client, timeouts } = options;
  const connection = openConnection('coach', request.signal, timeouts);
  const chunks = await connection.receive(client.chat.completions.create(body, { signal: connection.signal }));
  const answer = { hasChunks: false, hasText: false, isFinished: false };
  for await (const chunk of connection.receiveAll<unknown>(chunks)) {
    answer.hasChunks = true;
    const parsed = parseChunk(chunk);
    if (parsed.text !== '') {
      answer.hasText = true;
      yield { type: 'text', text: parsed.text };
    }
    answer.isFinished ||= parsed.isFinished;
    // The usage follows the last text, in a chunk of its own.
    if (parsed.usage !== null) report(parsed.usage);
  }
  if (!answer.hasChunks) throw malformedError('coach', 'no chunk in the answer');
  if (!answer.isFinished) throw new ProviderError('coach', 'unreachable', 'the answer was cut', { isTransient: true });
  if (!answer.hasText) throw malformedError('coach', 'an empty answer');
  yield { type: 'done' };
}

function requestBody(
  mode: FormatMode,
  options: ChatProtocolOptions,
  request: ModelRequest,
): ChatCompletionCreateParamsStreaming {
  const { model, reasoningEffort, isOwnServer } = options;
  const { format, maxOutputTokens } = request;
  // Older servers do not know `max_completion_tokens`, and OpenAI's reasoning models reject `max_tokens`.
  const isReasoning = !isOwnServer && /^(o\d|gpt-5)/.test(model);
  // A server that cannot enforce a schema reads it in the instructions.
  const describesFormat = format !== null && mode !== 'json_schema';
  const instructions = describesFormat
    ? `${request.instructions}\n\n${formatInstructions(format)}`
    : request.instructions;
  return {
    model,
    messages: [{ role: 'system', content: instructions }, ...toDialogue(request.messages)],
    ...(isReasoning ? { max_completion_tokens: maxOutputTokens } : { max_tokens: maxOutputTokens }),
    ...(reasoningEffort === null ? {} : { reasoning_effort: reasoningEffort }),
    stream: true,
    stream_options: { include_usage: true },
    ...(format === null || mode === 'words'
      ? {}
      : { response_format: mode === 'json_schema' ? zodResponseFormat(format.schema, format.name) : { type: mode } }),
  };
}

function parseChunk(chunk: unknown): { text: string; isFinished: boolean; usage: Usage | null } {
  const { data } = Chunk.safeParse(chunk);
  if (data === undefined) throw malformedError('coach', 'a chunk of another shape');
  const [choice] = data.choices ?? [];
  const isRefusal = (choice?.delta?.refusal ?? '') !== '' || choice?.finish_reason === 'content_filter';
  if (isRefusal) throw new ProviderError('coach', 'declined', choice?.finish_reason ?? 'a refusal');
  return {
    text: choice?.delta?.content ?? '',
    isFinished: (choice?.finish_reason ?? null) !== null,
    usage: toUsage(data.usage ?? null),
  };
}

function toUsage(usage: NonNullable<z.infer<typeof Chunk>['usage']> | null): Usage | null {
  if (usage === null) return null;
  const { cached_tokens: cached, cache_write_tokens: cacheWrite } = usage.prompt_tokens_details ?? {};
  return {
    input: usage.prompt_tokens,
    cached: cached ?? 0,
    ...(typeof cacheWrite === 'number' && cacheWrite > 0 && { cacheWrite }),
    output: usage.completion_tokens,
  };
}
