/** Starts a sync server in its own process that uses an OpenAI fake with canned responses. */
import { type OpenAiFake, startOpenAiFake, type RecordedCall, type ScriptStep } from '@parley/fakes/openai/index.ts';
import { type RunningServer, startSyncServer } from './sync-server.ts';

type ResponseKind = 'reply' | 'judge' | 'review' | 'hint' | 'transcript' | 'speech';

export interface ModelCoachServer extends RunningServer {
  openAiFake: OpenAiFake;
  /** The fake's realtime sessions. */
  realtime: NonNullable<OpenAiFake['realtime']>;
  cannedResponses: Record<ResponseKind, ScriptStep[]>;
}

const KIND_BY_FORMAT: Readonly<Record<string, ResponseKind>> = { verdict: 'judge', review: 'review', replies: 'hint' };

function responseKindOf({ path, body }: RecordedCall): ResponseKind {
  if (path.endsWith('/audio/transcriptions')) return 'transcript';
  if (path.endsWith('/audio/speech')) return 'speech';
  const { format } = (body['text'] ?? {}) as { format?: { name?: string } };
  return KIND_BY_FORMAT[format?.name ?? ''] ?? 'reply';
}

/** The server sends this request only to load the model. */
const isWarmUp = ({ body }: RecordedCall): boolean => body['max_tokens'] === 1;

export async function startModelCoachServer(): Promise<ModelCoachServer> {
  const cannedResponses: ModelCoachServer['cannedResponses'] = {
    reply: [],
    judge: [],
    review: [],
    hint: [],
    transcript: [],
    speech: [],
  };
  // Paced so that the streamed text can be observed.
  const openAiFake = await startOpenAiFake({
    script: (call) => (isWarmUp(call) ? undefined : cannedResponses[responseKindOf(call)].shift()),
    paceMs: 120,
    realtime: {},
  });
  const { realtime } = openAiFake;
  if (realtime === null) throw new Error('The OpenAI fake was started without realtime sessions.');
  const server = await startSyncServer({
    OPENAI_BASE_URL: openAiFake.url,
    OPENAI_API_KEY: openAiFake.key,
    OPENAI_MODEL: 'a-model-of-our-own',
    OPENAI_TRANSCRIBE_MODEL: 'our-own-transcriber',
    OPENAI_VOICE_MODEL: 'voice-of-our-own',
    OPENAI_REALTIME_MODEL: 'both-of-our-own',
  });
  return {
    ...server,
    openAiFake,
    realtime,
    cannedResponses,
    stop: async () => {
      await server.stop();
      await openAiFake.close();
    },
  };
}

export const answerWith = (text: string): ScriptStep => ({ does: 'answer', text });
export const answerWithJson = (value: unknown): ScriptStep => answerWith(JSON.stringify(value));
