/** Routes a request to its endpoint and plans the answer. */
import type { ModelsPage } from 'openai/resources/models';
import type { z } from 'zod';
import { type AttachedRealtimeFake, SECRETS_PATH } from '../openai-realtime/index.ts';
import { sampleTurn } from './default-answers/index.ts';
import { answerRequest, countTokens, type RecordedModelRequest } from './model-answer.ts';
import { ChatRequest, chatChunkFrames, toChatCompletion } from './chat-completions.ts';
import type { Dialect } from '../openai-compatible/dialects.ts';
import { createError, type FakeErrorResponse } from './errors.ts';
import { assertValidAnswer } from './assert-valid-answer.ts';
import { type Frames, jsonFrames } from './play.ts';
import { responseFrames, toResponse, ResponsesRequest, type CompletedAnswer } from './responses.ts';
import type { ScriptedBehaviour, RecordedCall, UnsupportedFeatures } from './script.ts';
import { hasSpeech, readWavSamples, SpeechRequest, toneFrames, TranscriptionForm, toTranscription } from './audio.ts';
import { strictSchemaProblem } from './strict-schema.ts';

/** The planned answer to a request; the script decides how it is sent. */
export interface PlannedAnswer {
  isScripted: boolean;
  frames: (act: ScriptedBehaviour) => Frames;
  /** What the model sees; null when no model is asked. */
  request: RecordedModelRequest | null;
}

export interface RouteOptions {
  dialect: Dialect;
  lacks: UnsupportedFeatures;
  /** Names of the available models; null for any. */
  models: readonly string[] | null;
  realtime: Pick<AttachedRealtimeFake, 'mintSecret'> | null;
}

type Body = RecordedCall['body'];
type Route = (body: Body) => PlannedAnswer | FakeErrorResponse;

const OWN_MODELS = ['qwen3:8b'];
const MODELS = ['gpt-5-mini', 'gpt-4o-mini', 'gpt-4o-mini-transcribe', 'gpt-4o-mini-tts', 'gpt-realtime'];

export function createRoutes(options: RouteOptions): (call: RecordedCall) => PlannedAnswer | FakeErrorResponse {
  const { dialect, lacks, models, realtime } = options;
  const knownPrompts = new Set<string>();
  let answerCount = 0;
  const completeAnswer = (request: RecordedModelRequest, act: ScriptedBehaviour): CompletedAnswer => {
    const thought = dialect.thought({ model: request.model, effort: request.reasoningEffort, tokensOf: countTokens });
    const answer = answerRequest(request, { act, isKnownPrompt: knownPrompts.has(request.instructions), thought });
    knownPrompts.add(request.instructions);
    answerCount += 1;
    return { question: request, answer, number: answerCount, isChecked: dialect.isChecked && act.does !== 'fail' };
  };

  let turns = 0;
  const transcribe = (samples: Int16Array): string => {
    if (!hasSpeech(samples)) return '';
    turns += 1;
    return sampleTurn(turns - 1);
  };
  /** OpenAI rejects schemas that other servers accept. */
  const rejectSchema = (schema: RecordedModelRequest['schema']): FakeErrorResponse | null => {
    const problem = schema === null || dialect.name !== 'openai' ? null : strictSchemaProblem(schema);
    return problem === null
      ? null
      : createError(400, { code: 'invalid_json_schema', message: `Invalid schema: ${problem}` });
  };

  const responses: Route = (body) =>
    parseThen(ResponsesRequest, body, (given) => {
      const request = dialect.ignoresFormatOverResponses ? { ...given, formatName: null, schema: null } : given;
      return (
        rejectSchema(request.schema) ??
        planAnswer(request, (act) => {
          const completed = completeAnswer(request, act);
          return request.stream
            ? responseFrames(completed)
            : jsonFrames(assertValidAnswer('Response', toResponse(completed), completed.isChecked));
        })
      );
    });
  const chat: Route = (body) =>
    parseThen(ChatRequest, body, (request) => {
      const isUnsupported =
        (request.format === 'json_schema' && lacks.jsonSchema) ||
        (request.format === 'json_object' && lacks.jsonObject);
      if (isUnsupported) return createError(400, { message: `response_format ${request.format} is not supported.` });
      return (
        (request.format === 'json_schema' ? rejectSchema(request.schema) : null) ??
        planAnswer(request, (act) => {
          const completed = completeAnswer(request, act);
          return request.stream
            ? chatChunkFrames(completed, request)
            : jsonFrames(
                assertValidAnswer('CreateChatCompletionResponse', toChatCompletion(completed), completed.isChecked),
              );
        })
      );
    });
  const transcriptions: Route = (body) =>
    parseThen(TranscriptionForm, body, ({ file }) => {
      const samples = readWavSamples(file);
      if (samples === null)
        return createError(400, { message: 'Audio file might be corrupted or unsupported', param: 'file' });
      return planAnswer(null, (act) => {
        const answer = toTranscription(samples, ('text' in act ? act.text : undefined) ?? transcribe(samples));
        return jsonFrames(assertValidAnswer('CreateTranscriptionResponseJson', answer, dialect.isChecked));
      });
    });
  const speech: Route = (body) =>
    parseThen(SpeechRequest, body, (request) => planAnswer(null, () => toneFrames(request)));
  const modelsBody = modelList(models ?? MODELS);
  const unscripted = (value: () => unknown): PlannedAnswer => ({
    isScripted: false,
    frames: () => jsonFrames(value()),
    request: null,
  });

  const routes: Record<string, Route> = {
    'POST /v1/responses': responses,
    'POST /v1/chat/completions': chat,
    'POST /v1/audio/transcriptions': transcriptions,
    'POST /v1/audio/speech': speech,
    'GET /v1/models': () => unscripted(() => assertValidAnswer('ListModelsResponse', modelsBody, dialect.isChecked)),
    ...(dialect.name === 'ollama'
      ? {
          'GET /api/tags': () => unscripted(() => toOllamaTags(models ?? OWN_MODELS)),
          'GET /api/ps': () => unscripted(() => toLoadedModels(models ?? OWN_MODELS, dialect.contextTokens)),
        }
      : {}),
    ...(dialect.name === 'lm-studio'
      ? { 'GET /api/v0/models': () => unscripted(() => toLmStudioModels(models ?? OWN_MODELS, dialect.contextTokens)) }
      : {}),
    ...(realtime === null ? {} : { [`POST ${SECRETS_PATH}`]: (body) => unscripted(() => realtime.mintSecret(body)) }),
  };
  return ({ method, path, body }) => {
    const address = `${method} ${path}`;
    const route = routes[address];
    const isUnsupportedPath = lacks.responses !== undefined && path === '/v1/responses';
    if (route === undefined || isUnsupportedPath)
      return createError(isUnsupportedPath ? (lacks.responses ?? 404) : 404, { message: `Invalid URL (${address})` });
    const refused = dialect.findRejection(path, body);
    if (refused !== null) return refused;
    const { model } = body;
    if (models !== null && typeof model === 'string' && !models.includes(model)) return unknownModel(dialect, model);
    return route(dialect.interpret(path, body));
  };
}

const planAnswer = (request: RecordedModelRequest | null, frames: PlannedAnswer['frames']): PlannedAnswer => ({
  isScripted: true,
  frames,
  request,
});

/** OpenAI sends a code for it; the others only a message. */
const unknownModel = (dialect: Dialect, model: string): FakeErrorResponse =>
  createError(
    404,
    dialect.name === 'openai'
      ? { code: 'model_not_found', message: `The model '${model}' does not exist or you do not have access to it.` }
      : { message: `model '${model}' not found` },
  );

const modelList = (models: readonly string[]) =>
  ({
    object: 'list',
    data: models.map((id) => ({ id, object: 'model' as const, created: 1_767_225_600, owned_by: 'fake' })),
  }) satisfies Pick<ModelsPage, 'object' | 'data'>;

/** Ollama's own list; docs/api.md of ollama/ollama. */
const toOllamaTags = (models: readonly string[]): object => ({
  models: models.map((name) => ({
    name,
    model: name,
    modified_at: '2026-11-01T12:00:00Z',
    size: 5_225_388_164,
    digest: 'e4b5fd7f8af0a5a6b38b5b7a3b5e6f4d1f0a2c3b4d5e6f708192a3b4c5d6e7f8',
    details: { format: 'gguf', family: 'qwen3', parameter_size: '8.2B', quantization_level: 'Q4_K_M' },
  })),
});

/** The models in Ollama's memory; docs/api.md of ollama/ollama. */
const toLoadedModels = (models: readonly string[], contextTokens: number): object => ({
  models: models.map((name) => ({
    name,
    model: name,
    size: 6_591_830_464,
    expires_at: '2026-11-01T12:05:00Z',
    ...(Number.isFinite(contextTokens) ? { context_length: contextTokens } : {}),
  })),
});

/** LM Studio's own list; REST API v0 at lmstudio.ai/docs. */
const toLmStudioModels = (models: readonly string[], contextTokens: number): object => ({
  object: 'list',
  data: models.map((id) => ({
    id,
    object: 'model',
    type: 'llm',
    state: 'loaded',
    max_context_length: 32_768,
    ...(Number.isFinite(contextTokens) ? { loaded_context_length: contextTokens } : {}),
  })),
});

/** Rejects a request that the dialect accepts but the fake cannot answer, so that no test passes unchecked. */
function parseThen<Shape extends z.ZodType>(
  shape: Shape,
  body: Body,
  answer: (request: z.infer<Shape>) => PlannedAnswer | FakeErrorResponse,
): PlannedAnswer | FakeErrorResponse {
  const parsed = shape.safeParse(body);
  if (parsed.success) return answer(parsed.data);
  const [issue] = parsed.error.issues;
  return createError(400, {
    message: `The fake does not support this: ${issue?.message}`,
    param: issue?.path.join('.') ?? '',
  });
}
