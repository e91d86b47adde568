/** Which of OpenAI's paths the twin knows, and what it makes of a call to one. */
import type { ModelsPage } from 'openai/resources/models';
import type { z } from 'zod';
import { type HostedRealtimeTwin, SECRETS_PATH } from '../realtime/twin/index.ts';
import { madeUpTurn } from '../stand-in/index.ts';
import { answerQuestion, type TwinQuestion } from './answer.ts';
import { ChatQuestion, chunkFrames, completionOf } from './chat.ts';
import { errorOf, type TwinError } from './errors.ts';
import { type Frames, jsonFrames } from './play.ts';
import { responseFrames, responseOf, ResponsesQuestion, type Told } from './responses.ts';
import type { TwinAct, TwinCall, TwinLacks } from './script.ts';
import { holdsSpeech, samplesOf, SpeechQuestion, toneFrames, TranscriptionForm, transcriptionOf } from './sound.ts';
import { strictSchemaProblem } from './strict-schema.ts';

/** How a call will be answered, once the script has said what is to be done with it. */
export interface Answering {
  isScripted: boolean;
  frames: (act: TwinAct) => Frames;
}

type Route = (body: TwinCall['body']) => Answering | TwinError;

const MODELS = ['gpt-5-mini', 'gpt-4o-mini', 'gpt-4o-mini-transcribe', 'gpt-4o-mini-tts', 'gpt-realtime'];

export function createRoutes(
  lacks: TwinLacks,
  realtime: Pick<HostedRealtimeTwin, 'mint'> | null,
): (call: TwinCall) => Answering | TwinError {
  const knownPrompts = new Set<string>();
  let count = 0;
  const told = (question: TwinQuestion, act: TwinAct): Told => {
    const answer = answerQuestion(question, { act, isKnownPrompt: knownPrompts.has(question.instructions) });
    knownPrompts.add(question.instructions);
    count += 1;
    return { question, answer, number: count };
  };

  let turns = 0;
  const hear = (samples: Int16Array): string => {
    if (!holdsSpeech(samples)) return '';
    turns += 1;
    return madeUpTurn(turns - 1);
  };

  const responses: Route = (body) =>
    accept(ResponsesQuestion, body, (question) => {
      const refused = refuseSchema(question.schema);
      return (
        refused ??
        ((act) => {
          const all = told(question, act);
          return question.stream ? responseFrames(all) : jsonFrames(responseOf(all));
        })
      );
    });
  const chat: Route = (body) =>
    accept(ChatQuestion, body, (question) => {
      const isUnknown =
        (question.format === 'json_schema' && lacks.jsonSchema) ||
        (question.format === 'json_object' && lacks.jsonObject);
      if (isUnknown) return errorOf(400, { message: `response_format ${question.format} is not supported.` });
      const refused = question.format === 'json_schema' ? refuseSchema(question.schema) : null;
      return (
        refused ??
        ((act) => {
          const all = told(question, act);
          return question.stream ? chunkFrames(all, question) : jsonFrames(completionOf(all));
        })
      );
    });
  const transcriptions: Route = (body) =>
    accept(TranscriptionForm, body, ({ file }) => {
      const samples = samplesOf(file);
      if (samples === null)
        return errorOf(400, { message: 'Audio file might be corrupted or unsupported', param: 'file' });
      return (act) => jsonFrames(transcriptionOf(samples, ('text' in act ? act.text : undefined) ?? hear(samples)));
    });
  const speech: Route = (body) => accept(SpeechQuestion, body, (question) => () => toneFrames(question));
  const models: Route = () => ({ isScripted: false, frames: () => jsonFrames(MODEL_LIST) });

  const routes: Record<string, Route> = {
    'POST /v1/responses': responses,
    'POST /v1/chat/completions': chat,
    'POST /v1/audio/transcriptions': transcriptions,
    'POST /v1/audio/speech': speech,
    'GET /v1/models': models,
    ...(realtime === null
      ? {}
      : { [`POST ${SECRETS_PATH}`]: (body) => ({ isScripted: false, frames: () => jsonFrames(realtime.mint(body)) }) }),
  };
  return ({ method, path, body }) => {
    const address = `${method} ${path}`;
    if (lacks.responses !== undefined && path === '/v1/responses')
      return errorOf(lacks.responses, { message: `Invalid URL (${address})` });
    return routes[address]?.(body) ?? errorOf(404, { message: `Invalid URL (${address})` });
  };
}

const MODEL_LIST = {
  object: 'list',
  data: MODELS.map((id) => ({ id, object: 'model' as const, created: 1_767_225_600, owned_by: 'twin' })),
} satisfies Pick<ModelsPage, 'object' | 'data'>;

/** Refuses unknown parameters and wrong values, as OpenAI does. */
function accept<Shape extends z.ZodType>(
  shape: Shape,
  body: TwinCall['body'],
  answer: (question: z.infer<Shape>) => Answering['frames'] | TwinError,
): Answering | TwinError {
  const parsed = shape.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return errorOf(400, { message: issue?.message ?? 'Invalid request.', param: issue?.path.join('.') ?? '' });
  }
  const frames = answer(parsed.data);
  return typeof frames === 'function' ? { isScripted: true, frames } : frames;
}

function refuseSchema(schema: TwinQuestion['schema']): TwinError | null {
  const problem = schema === null ? null : strictSchemaProblem(schema);
  return problem === null ? null : errorOf(400, { code: 'invalid_json_schema', message: `Invalid schema: ${problem}` });
}
