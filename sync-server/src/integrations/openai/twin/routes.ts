/** Which paths the twin knows, and what it makes of a call to one. */
import type { ModelsPage } from 'openai/resources/models';
import type { z } from 'zod';
import { type HostedRealtimeTwin, SECRETS_PATH } from '../realtime/twin/index.ts';
import { madeUpTurn } from '../stand-in/index.ts';
import { answerQuestion, tokensOf, type TwinQuestion } from './answer.ts';
import { ChatQuestion, chunkFrames, completionOf } from './chat.ts';
import type { Dialect } from './dialect.ts';
import { errorOf, type TwinError } from './errors.ts';
import { checkedAnswer } from './own-answers.ts';
import { type Frames, jsonFrames } from './play.ts';
import { responseFrames, responseOf, ResponsesQuestion, type Told } from './responses.ts';
import type { TwinAct, TwinCall, TwinLacks } from './script.ts';
import { holdsSpeech, samplesOf, SpeechQuestion, toneFrames, TranscriptionForm, transcriptionOf } from './sound.ts';
import { strictSchemaProblem } from './strict-schema.ts';

/** How a call will be answered, once the script has said what is to be done with it. */
export interface Answering {
  isScripted: boolean;
  frames: (act: TwinAct) => Frames;
  /** What a model is shown; null where none is asked. */
  question: TwinQuestion | null;
}

export interface RouteParts {
  dialect: Dialect;
  lacks: TwinLacks;
  /** The models that are served; null for any. */
  models: readonly string[] | null;
  realtime: Pick<HostedRealtimeTwin, 'mint'> | null;
}

type Body = TwinCall['body'];
type Route = (body: Body) => Answering | TwinError;

const MODELS = ['gpt-5-mini', 'gpt-4o-mini', 'gpt-4o-mini-transcribe', 'gpt-4o-mini-tts', 'gpt-realtime'];

export function createRoutes(parts: RouteParts): (call: TwinCall) => Answering | TwinError {
  const { dialect, lacks, models, realtime } = parts;
  const knownPrompts = new Set<string>();
  let count = 0;
  const told = (question: TwinQuestion, act: TwinAct): Told => {
    const thought = dialect.thought({ model: question.model, effort: question.effort, tokensOf });
    const answer = answerQuestion(question, { act, isKnownPrompt: knownPrompts.has(question.instructions), thought });
    knownPrompts.add(question.instructions);
    count += 1;
    return { question, answer, number: count, isChecked: dialect.isChecked && act.does !== 'fail' };
  };

  let turns = 0;
  const hear = (samples: Int16Array): string => {
    if (!holdsSpeech(samples)) return '';
    turns += 1;
    return madeUpTurn(turns - 1);
  };
  /** OpenAI refuses schemas that others take. */
  const refuseSchema = (schema: TwinQuestion['schema']): TwinError | null => {
    const problem = schema === null || dialect.name !== 'openai' ? null : strictSchemaProblem(schema);
    return problem === null
      ? null
      : errorOf(400, { code: 'invalid_json_schema', message: `Invalid schema: ${problem}` });
  };

  const responses: Route = (body) =>
    accept(ResponsesQuestion, body, (given) => {
      const question = dialect.ignoresFormOverResponses ? { ...given, form: null, schema: null } : given;
      return (
        refuseSchema(question.schema) ??
        answering(question, (act) => {
          const all = told(question, act);
          return question.stream
            ? responseFrames(all)
            : jsonFrames(checkedAnswer('Response', responseOf(all), all.isChecked));
        })
      );
    });
  const chat: Route = (body) =>
    accept(ChatQuestion, body, (question) => {
      const isUnknown =
        (question.format === 'json_schema' && lacks.jsonSchema) ||
        (question.format === 'json_object' && lacks.jsonObject);
      if (isUnknown) return errorOf(400, { message: `response_format ${question.format} is not supported.` });
      return (
        (question.format === 'json_schema' ? refuseSchema(question.schema) : null) ??
        answering(question, (act) => {
          const all = told(question, act);
          return question.stream
            ? chunkFrames(all, question)
            : jsonFrames(checkedAnswer('CreateChatCompletionResponse', completionOf(all), all.isChecked));
        })
      );
    });
  const transcriptions: Route = (body) =>
    accept(TranscriptionForm, body, ({ file }) => {
      const samples = samplesOf(file);
      if (samples === null)
        return errorOf(400, { message: 'Audio file might be corrupted or unsupported', param: 'file' });
      return answering(null, (act) => {
        const answer = transcriptionOf(samples, ('text' in act ? act.text : undefined) ?? hear(samples));
        return jsonFrames(checkedAnswer('CreateTranscriptionResponseJson', answer, dialect.isChecked));
      });
    });
  const speech: Route = (body) =>
    accept(SpeechQuestion, body, (question) => answering(null, () => toneFrames(question)));
  const list = modelList(models ?? MODELS);
  const plainly = (value: () => unknown): Answering => ({
    isScripted: false,
    frames: () => jsonFrames(value()),
    question: null,
  });

  const routes: Record<string, Route> = {
    'POST /v1/responses': responses,
    'POST /v1/chat/completions': chat,
    'POST /v1/audio/transcriptions': transcriptions,
    'POST /v1/audio/speech': speech,
    'GET /v1/models': () => plainly(() => checkedAnswer('ListModelsResponse', list, dialect.isChecked)),
    ...(dialect.name === 'ollama' ? { 'GET /api/tags': () => plainly(() => tagsOf(models ?? ['qwen3:8b'])) } : {}),
    ...(realtime === null ? {} : { [`POST ${SECRETS_PATH}`]: (body) => plainly(() => realtime.mint(body)) }),
  };
  return ({ method, path, body }) => {
    const address = `${method} ${path}`;
    const route = routes[address];
    const isLacking = lacks.responses !== undefined && path === '/v1/responses';
    if (route === undefined || isLacking)
      return errorOf(isLacking ? (lacks.responses ?? 404) : 404, { message: `Invalid URL (${address})` });
    const refused = dialect.refuse(path, body);
    if (refused !== null) return refused;
    const { model } = body;
    if (models !== null && typeof model === 'string' && !models.includes(model)) return unknownModel(dialect, model);
    return route(dialect.read(path, body));
  };
}

const answering = (question: TwinQuestion | null, frames: Answering['frames']): Answering => ({
  isScripted: true,
  frames,
  question,
});

/** OpenAI has a code for it; the others have words. */
const unknownModel = (dialect: Dialect, model: string): TwinError =>
  errorOf(
    404,
    dialect.name === 'openai'
      ? { code: 'model_not_found', message: `The model '${model}' does not exist or you do not have access to it.` }
      : { message: `model '${model}' not found` },
  );

const modelList = (models: readonly string[]) =>
  ({
    object: 'list',
    data: models.map((id) => ({ id, object: 'model' as const, created: 1_767_225_600, owned_by: 'twin' })),
  }) satisfies Pick<ModelsPage, 'object' | 'data'>;

/** Ollama's own list; docs/api.md of ollama/ollama. */
const tagsOf = (models: readonly string[]): object => ({
  models: models.map((name) => ({
    name,
    model: name,
    modified_at: '2026-11-01T12:00:00Z',
    size: 5_225_388_164,
    digest: 'e4b5fd7f8af0a5a6b38b5b7a3b5e6f4d1f0a2c3b4d5e6f708192a3b4c5d6e7f8',
    details: { format: 'gguf', family: 'qwen3', parameter_size: '8.2B', quantization_level: 'Q4_K_M' },
  })),
});

/** What the dialect took and the twin cannot answer is refused too, so that no test passes on what was not looked at. */
function accept<Shape extends z.ZodType>(
  shape: Shape,
  body: Body,
  answer: (question: z.infer<Shape>) => Answering | TwinError,
): Answering | TwinError {
  const parsed = shape.safeParse(body);
  if (parsed.success) return answer(parsed.data);
  const [issue] = parsed.error.issues;
  return errorOf(400, { message: `The twin cannot: ${issue?.message}`, param: issue?.path.join('.') ?? '' });
}
