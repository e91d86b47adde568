/** How servers that speak OpenAI's protocol differ from OpenAI and from each other. `shared/design/real-services.md` names the sources. */
import { schemaProblem, type SchemaProblem } from '../schemas/index.ts';
import { errorOf, type TwinError } from './errors.ts';
import { asText, modelProblem, speechProblem, thoughtTokens } from './model-rules.ts';

export const DIALECTS = ['openai', 'ollama', 'llama.cpp', 'vllm', 'lm-studio'] as const;
export type TwinDialect = (typeof DIALECTS)[number];

export interface TwinModel {
  /** What it thinks before it speaks; empty for a model that cannot. */
  thought?: string;
  /** vLLM: with one, a thought comes apart from the answer rather than in it. */
  hasReasoningParser?: boolean;
  /** vLLM: before June 2026 it misread the plain string content of an assistant item. */
  misreadsStrings?: boolean;
}

/** Where a model's thought is told. OpenAI only counts it. */
export type ThoughtPlace = 'nowhere' | 'apart' | 'in_answer';

export interface Thought {
  text: string;
  tokens: number;
  place: ThoughtPlace;
}

type Body = Readonly<Record<string, unknown>>;

export interface Dialect {
  name: TwinDialect;
  /** Asks for no key. */
  isKeyless: boolean;
  /** Whether answers are held to OpenAI's document. */
  isChecked: boolean;
  /** What it refuses of a request, before it looks what the request asks for. */
  refuse: (path: string, body: Body) => TwinError | null;
  /** The request as it is understood. */
  read: (path: string, body: Body) => Body;
  /** Whether it pays no heed to the form that an answer over Responses should have. */
  ignoresFormOverResponses: boolean;
  thought: (question: { model: string; effort: string | null; tokensOf: (text: string) => number }) => Thought;
}

const NO_THOUGHT: Thought = { text: '', tokens: 0, place: 'nowhere' };

export function dialectOf(name: TwinDialect, model: TwinModel = {}): Dialect {
  const { thought = '', hasReasoningParser = false, misreadsStrings = false } = model;
  const aloud = (place: ThoughtPlace): Dialect['thought'] =>
    thought === '' ? () => NO_THOUGHT : ({ tokensOf }) => ({ text: thought, tokens: tokensOf(thought), place });
  const own: Dialect = {
    name,
    isKeyless: true,
    isChecked: false,
    refuse: () => null,
    read: (_path, body) => body,
    ignoresFormOverResponses: false,
    thought: aloud('apart'),
  };
  switch (name) {
    case 'openai':
      return {
        ...own,
        isKeyless: false,
        isChecked: true,
        refuse: refuseAsOpenAi,
        thought: ({ model: of, effort }) => ({ text: '', tokens: thoughtTokens(of, effort), place: 'nowhere' }),
      };
    case 'ollama':
      return {
        ...own,
        refuse: (_path, body) => refuseEffort(body),
        // A model that can think does so unless it is told not to.
        thought: (question) => (question.effort === 'none' ? NO_THOUGHT : aloud('apart')(question)),
      };
    case 'llama.cpp':
      return { ...own, refuse: refuseItem, ignoresFormOverResponses: true };
    case 'vllm':
      return {
        ...own,
        read: (path, body) => (misreadsStrings ? misread(path, body) : body),
        thought: aloud(hasReasoningParser ? 'apart' : 'in_answer'),
      };
    case 'lm-studio':
      return { ...own, refuse: refuseJsonObject };
  }
}

const SCHEMA_BY_PATH: Readonly<Record<string, string>> = {
  '/v1/responses': 'CreateResponse',
  '/v1/chat/completions': 'CreateChatCompletionRequest',
  '/v1/audio/speech': 'CreateSpeechRequest',
  '/v1/audio/transcriptions': 'CreateTranscriptionRequest',
  '/v1/realtime/client_secrets': 'RealtimeCreateClientSecretRequest',
};

/** What OpenAI would say against a request of ours; null when it takes it. */
export const requestProblem = (path: string, body: Body): SchemaProblem | null =>
  documentProblem(path, body) ?? ruleProblem(path, body);

/** The same by its document alone, whatever the model: so must every request be, to whichever server. */
export function documentProblem(path: string, body: Body): SchemaProblem | null {
  const schema = SCHEMA_BY_PATH[path];
  if (schema === undefined) return null;
  return schemaProblem(schema, path === '/v1/audio/transcriptions' ? fieldsOf(body) : body);
}

function ruleProblem(path: string, body: Body): SchemaProblem | null {
  if (path === '/v1/responses') return modelProblem('responses', body);
  if (path === '/v1/chat/completions') return modelProblem('chat', body);
  return path === '/v1/audio/speech' ? speechProblem(body) : null;
}

/** A form holds strings and files, whatever the document calls their type. */
const fieldsOf = (body: Body): Body =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? 'a file' : name === 'temperature' ? Number(value) : value,
    ]),
  );

function refuseAsOpenAi(path: string, body: Body): TwinError | null {
  const problem = requestProblem(path, body);
  return problem === null ? null : errorOf(400, problem);
}

function refuseEffort({ reasoning, reasoning_effort: chatEffort }: Body): TwinError | null {
  const effort = (reasoning as { effort?: unknown } | undefined)?.effort ?? chatEffort ?? null;
  return effort === null || ['none', 'low', 'medium', 'high'].some((known) => known === effort)
    ? null
    : errorOf(400, {
        message: `invalid reasoning value: '${asText(effort)}' (must be "high", "medium", "low", or "none")`,
      });
}

const itemsOf = (body: Body): readonly Body[] =>
  Array.isArray(body['input']) ? (body['input'] as readonly Body[]) : [];

function refuseItem(path: string, body: Body): TwinError | null {
  const isUntyped = itemsOf(body).some(({ role, type }) => role === 'assistant' && type !== 'message');
  return path === '/v1/responses' && isUntyped ? errorOf(400, { message: "Cannot determine type of 'item'" }) : null;
}

function refuseJsonObject(_path: string, { response_format: format }: Body): TwinError | null {
  const isRefused = (format as { type?: unknown } | undefined)?.type === 'json_object';
  return isRefused ? errorOf(400, { message: "'response_format.type' must be 'json_schema' or 'text'" }) : null;
}

/** The model is shown nothing of what the assistant is said to have said. */
const misread = (path: string, body: Body): Body =>
  path === '/v1/responses' && Array.isArray(body['input'])
    ? {
        ...body,
        input: itemsOf(body).map((item) =>
          item['role'] === 'assistant' && typeof item['content'] === 'string' ? { ...item, content: '' } : item,
        ),
      }
    : body;

/** Errors as each of them words them: the code of some is a number. */
export function errorBody(name: TwinDialect, { status, error }: TwinError): object {
  if (name === 'llama.cpp') return { error: { code: status, message: error.message, type: error.type } };
  if (name === 'vllm') return { error: { ...error, type: 'BadRequestError', code: status } };
  return { error };
}
