/** How servers that speak OpenAI's protocol differ from OpenAI and from each other. `shared/design/real-services.md` names the sources. */
import { schemaProblem, type SchemaProblem } from '../openai/schemas/index.ts';
import { createError, type FakeErrorResponse } from '../openai/errors.ts';
import { toText, modelProblem, speechProblem, reasoningTokens } from '../openai/model-rules.ts';

export const DIALECTS = ['openai', 'ollama', 'llama.cpp', 'vllm', 'lm-studio'] as const;
export type DialectName = (typeof DIALECTS)[number];

export interface FakeModelOptions {
  /** Its reasoning; empty for a model that does not reason. */
  thought?: string;
  /** For vLLM: with a reasoning parser, reasoning arrives apart from the answer. */
  hasReasoningParser?: boolean;
  /** For vLLM: before June 2026 it misread assistant items whose content is a plain string. */
  dropsAssistantStrings?: boolean;
  /** llama.cpp and vLLM reject a request that does not fit; Ollama leaves out its beginning. */
  contextTokens?: number;
}

/** Where reasoning is sent. OpenAI only counts it. */
export type ThoughtPlace = 'nowhere' | 'apart' | 'in_answer';

export interface Thought {
  text: string;
  tokens: number;
  place: ThoughtPlace;
}

type Body = Readonly<Record<string, unknown>>;

export interface Dialect {
  name: DialectName;
  /** Accepts requests without a key. */
  isKeyless: boolean;
  contextTokens: number;
  /** Whether answers must match OpenAI's document. */
  isChecked: boolean;
  /** Returns the error for a request that this server rejects before looking at its content. */
  findRejection: (path: string, body: Body) => FakeErrorResponse | null;
  /** Returns the request as this server understands it. */
  interpret: (path: string, body: Body) => Body;
  /** Whether it ignores the output format over Responses. */
  ignoresFormatOverResponses: boolean;
  thought: (question: { model: string; effort: string | null; tokensOf: (text: string) => number }) => Thought;
}

const NO_THOUGHT: Thought = { text: '', tokens: 0, place: 'nowhere' };

export function createDialect(name: DialectName, model: FakeModelOptions = {}): Dialect {
  const { thought = '', hasReasoningParser = false, dropsAssistantStrings = false, contextTokens = Infinity } = model;
  const withThought = (place: ThoughtPlace): Dialect['thought'] =>
    thought === '' ? () => NO_THOUGHT : ({ tokensOf }) => ({ text: thought, tokens: tokensOf(thought), place });
  const base: Dialect = {
    name,
    isKeyless: true,
    contextTokens,
    isChecked: false,
    findRejection: () => null,
    interpret: (_path, body) => body,
    ignoresFormatOverResponses: false,
    thought: withThought('apart'),
  };
  switch (name) {
    case 'openai':
      return {
        ...base,
        isKeyless: false,
        isChecked: true,
        findRejection: rejectAsOpenAi,
        thought: ({ model: of, effort }) => ({ text: '', tokens: reasoningTokens(of, effort), place: 'nowhere' }),
      };
    case 'ollama':
      return {
        ...base,
        findRejection: (_path, body) => rejectEffort(body),
        interpret: (_path, body) => leaveOutBeginning(body, contextTokens),
        // A reasoning model reasons unless told not to.
        thought: (question) => (question.effort === 'none' ? NO_THOUGHT : withThought('apart')(question)),
      };
    case 'llama.cpp':
      return {
        ...base,
        findRejection: (path, body) => rejectUntypedItem(path, body) ?? rejectLongPrompt(name, body, contextTokens),
        ignoresFormatOverResponses: true,
      };
    case 'vllm':
      return {
        ...base,
        findRejection: (_path, body) => rejectLongPrompt(name, body, contextTokens),
        interpret: (path, body) => (dropsAssistantStrings ? dropAssistantStrings(path, body) : body),
        thought: withThought(hasReasoningParser ? 'apart' : 'in_answer'),
      };
    case 'lm-studio':
      return { ...base, findRejection: rejectJsonObject };
  }
}

const SCHEMA_BY_PATH: Readonly<Record<string, string>> = {
  '/v1/responses': 'CreateResponse',
  '/v1/chat/completions': 'CreateChatCompletionRequest',
  '/v1/audio/speech': 'CreateSpeechRequest',
  '/v1/audio/transcriptions': 'CreateTranscriptionRequest',
  '/v1/realtime/client_secrets': 'RealtimeCreateClientSecretRequest',
};

/** Returns OpenAI's error for a request, or null when it accepts it. */
export const requestProblem = (path: string, body: Body): SchemaProblem | null =>
  documentProblem(path, body) ?? ruleProblem(path, body);

/** Checks a request against the document alone. Requests to any server must match it, whatever the model. */
export function documentProblem(path: string, body: Body): SchemaProblem | null {
  const schema = SCHEMA_BY_PATH[path];
  if (schema === undefined) return null;
  return schemaProblem(schema, path === '/v1/audio/transcriptions' ? formFields(body) : body);
}

function ruleProblem(path: string, body: Body): SchemaProblem | null {
  if (path === '/v1/responses') return modelProblem('responses', body);
  if (path === '/v1/chat/completions') return modelProblem('chat', body);
  return path === '/v1/audio/speech' ? speechProblem(body) : null;
}

/** A form holds strings and files, whatever types the document names. */
const formFields = (body: Body): Body =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? 'a file' : name === 'temperature' ? Number(value) : value,
    ]),
  );

function rejectAsOpenAi(path: string, body: Body): FakeErrorResponse | null {
  const problem = requestProblem(path, body);
  return problem === null ? null : createError(400, problem);
}

function rejectEffort({ reasoning, reasoning_effort: chatEffort }: Body): FakeErrorResponse | null {
  const effort = (reasoning as { effort?: unknown } | undefined)?.effort ?? chatEffort ?? null;
  return effort === null || ['none', 'low', 'medium', 'high'].some((known) => known === effort)
    ? null
    : createError(400, {
        message: `invalid reasoning value: '${toText(effort)}' (must be "high", "medium", "low", or "none")`,
      });
}

const inputItems = (body: Body): readonly Body[] =>
  Array.isArray(body['input']) ? (body['input'] as readonly Body[]) : [];

function rejectUntypedItem(path: string, body: Body): FakeErrorResponse | null {
  const isUntyped = inputItems(body).some(({ role, type }) => role === 'assistant' && type !== 'message');
  return path === '/v1/responses' && isUntyped
    ? createError(400, { message: "Cannot determine type of 'item'" })
    : null;
}

const countPromptTokens = ({ instructions, input, messages }: Body): number =>
  Math.ceil(JSON.stringify([instructions, input, messages]).length / 4);

/** As ggml-org/llama.cpp#15780 and vllm-project/vllm#20409 quote it. vLLM also counts the requested output. */
function rejectLongPrompt(name: DialectName, body: Body, contextTokens: number): FakeErrorResponse | null {
  const prompt = countPromptTokens(body);
  const output = Number(body['max_output_tokens'] ?? body['max_completion_tokens'] ?? body['max_tokens'] ?? 0);
  const tokens = name === 'vllm' ? prompt + output : prompt;
  if (tokens <= contextTokens) return null;
  const message =
    name === 'vllm'
      ? `This model's maximum context length is ${contextTokens} tokens. However, you requested ${tokens} tokens.`
      : `request (${tokens} tokens) exceeds the available context size (${contextTokens} tokens), try increasing it`;
  return createError(400, { message });
}

/** The tokens that a chat template adds to each message. */
const MARK_TOKENS = 5;

/** A content is a text or a list of parts. */
const countTextTokens = (content: unknown): number =>
  (Array.isArray(content) ? (content as readonly Body[]).map(({ text }) => text) : [content]).reduce<number>(
    (sum, text) => sum + toText(text).length / 4,
    0,
  );

/** Works like server/prompt.go of ollama/ollama: system messages and the last message are kept. */
function leaveOutBeginning(body: Body, contextTokens: number): Body {
  const field = Array.isArray(body['input']) ? 'input' : 'messages';
  const items = (body[field] ?? []) as readonly Body[];
  const prompt = [body['instructions'] ?? '', ...items.map(({ content }) => content)];
  const tokens = prompt.reduce<number>((sum, content) => sum + MARK_TOKENS + countTextTokens(content), 0);
  if (tokens <= contextTokens) return body;
  const place = items.findIndex(({ role }, index) => role !== 'system' && index < items.length - 1);
  return place === -1 ? body : leaveOutBeginning({ ...body, [field]: items.toSpliced(place, 1) }, contextTokens);
}

function rejectJsonObject(_path: string, { response_format: format }: Body): FakeErrorResponse | null {
  const isRefused = (format as { type?: unknown } | undefined)?.type === 'json_object';
  return isRefused ? createError(400, { message: "'response_format.type' must be 'json_schema' or 'text'" }) : null;
}

/** Removes from the model's view what the assistant said. */
const dropAssistantStrings = (path: string, body: Body): Body =>
  path === '/v1/responses' && Array.isArray(body['input'])
    ? {
        ...body,
        input: inputItems(body).map((item) =>
          item['role'] === 'assistant' && typeof item['content'] === 'string' ? { ...item, content: '' } : item,
        ),
      }
    : body;

/** Formats an error as each server does; some send a number as the code. */
export function errorBody(name: DialectName, { status, error }: FakeErrorResponse): object {
  if (name === 'llama.cpp') return { error: { code: status, message: error.message, type: error.type } };
  if (name === 'vllm') return { error: { ...error, type: 'BadRequestError', code: status } };
  return { error };
}
