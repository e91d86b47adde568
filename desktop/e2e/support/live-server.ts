/** A sync server in a process of its own, configured as somebody would for a model of their own: a twin that is told what to say. */
import { type OpenAiTwin, startOpenAiTwin, type TwinCall, type TwinStep } from '@parley/sync-server/openai/twin';
import { type RunningServer, startSyncServer } from './sync-server.ts';

type Part = 'reply' | 'judge' | 'review' | 'hint' | 'transcript' | 'speech';

export interface LiveServer extends RunningServer {
  twin: OpenAiTwin;
  /** Where it listens and speaks at once. */
  realtime: NonNullable<OpenAiTwin['realtime']>;
  says: Record<Part, TwinStep[]>;
}

const PART_BY_FORMAT: Readonly<Record<string, Part>> = { verdict: 'judge', review: 'review', replies: 'hint' };

function partOf({ path, body }: TwinCall): Part {
  if (path.endsWith('/audio/transcriptions')) return 'transcript';
  if (path.endsWith('/audio/speech')) return 'speech';
  const { format } = (body['text'] ?? {}) as { format?: { name?: string } };
  return PART_BY_FORMAT[format?.name ?? ''] ?? 'reply';
}

/** Asked only to see whether the model is in memory. */
const isWarmUp = ({ body }: TwinCall): boolean => body['max_tokens'] === 1;

export async function startLiveServer(): Promise<LiveServer> {
  const says: LiveServer['says'] = { reply: [], judge: [], review: [], hint: [], transcript: [], speech: [] };
  // As fast as a person reads: there is something to see while it comes.
  const twin = await startOpenAiTwin({
    script: (call) => (isWarmUp(call) ? undefined : says[partOf(call)].shift()),
    paceMs: 120,
    realtime: {},
  });
  const { realtime } = twin;
  if (realtime === null) throw new Error('the twin has no ears');
  const server = await startSyncServer({
    OPENAI_BASE_URL: twin.url,
    OPENAI_API_KEY: twin.key,
    OPENAI_MODEL: 'a-model-of-our-own',
    OPENAI_TRANSCRIBE_MODEL: 'ears-of-our-own',
    OPENAI_VOICE_MODEL: 'voice-of-our-own',
    OPENAI_REALTIME_MODEL: 'both-of-our-own',
  });
  return {
    ...server,
    twin,
    realtime,
    says,
    stop: async () => {
      await server.stop();
      await twin.close();
    },
  };
}

export const saying = (text: string): TwinStep => ({ does: 'answer', text });
export const json = (value: unknown): TwinStep => saying(JSON.stringify(value));
