/** A server whose coach is the real adapter to a model's twin, told what to say. */
import { createAzureAssessor } from '@parley/sync-server/azure-speech';
import { type AzureSpeechTwin, startAzureSpeechTwin } from '@parley/sync-server/azure-speech/twin';
import { createOpenAiModel, createOpenAiSynthesiser, createOpenAiTranscriber } from '@parley/sync-server/openai';
import { type OpenAiTwin, startOpenAiTwin, type TwinCall, type TwinStep } from '@parley/sync-server/openai/twin';
import type { SessionId } from '@parley/domain';
import { LATE_DELIVERY } from './a-catalogue.ts';
import { startServer, type TestServer } from './a-server.ts';
import type { OpenHost } from './open-host.ts';

export interface LiveServer {
  server: TestServer;
  twin: OpenAiTwin;
  /** What the model says next, by what it is asked for; what is not said here the twin makes up. */
  says: Record<'reply' | 'judge' | 'review' | 'hint' | 'transcript' | 'speech', TwinStep[]>;
  close(): Promise<void>;
}

export const AZURE_KEY = 'azure-twin-key';

export const startAzure = (
  script: NonNullable<Parameters<typeof startAzureSpeechTwin>[0]>['script'] = [],
): Promise<AzureSpeechTwin> => startAzureSpeechTwin({ key: AZURE_KEY, script });

const QUICK = { firstByteMs: 2_000, silenceMs: 2_000 };

export const saying = (text: string): TwinStep => ({ does: 'answer', text });
export const json = (value: unknown): TwinStep => saying(JSON.stringify(value));

/** By the name of the form in which an answer is wanted. */
const ASKED_BY_FORMAT: Readonly<Record<string, keyof LiveServer['says']>> = {
  verdict: 'judge',
  review: 'review',
  replies: 'hint',
};

function askedFor({ path, body }: TwinCall): keyof LiveServer['says'] {
  if (path.endsWith('/audio/transcriptions')) return 'transcript';
  if (path.endsWith('/audio/speech')) return 'speech';
  const { format } = (body['text'] ?? {}) as { format?: { name?: string } };
  return ASKED_BY_FORMAT[format?.name ?? ''] ?? 'reply';
}

export interface LiveServerOptions {
  /** Whoever listens scores what they hear, as this twin says. */
  azure?: AzureSpeechTwin;
  /** Between two words of the model's. */
  paceMs?: number;
  /** How long a service is waited for, and how long before it is asked again. */
  patience?: { firstByteMs: number; silenceMs: number; retryWaitMs?: number; backoffMs?: number };
  /** Whether an account has one live conversation at a time, and so long of it. */
  countsMinutes?: boolean;
  /** The server's clock. */
  now?: () => Date;
}

export async function startLiveServer(options: LiveServerOptions = {}): Promise<LiveServer> {
  const { azure, paceMs = 0, countsMinutes = false, patience = QUICK } = options;
  const says: LiveServer['says'] = { reply: [], judge: [], review: [], hint: [], transcript: [], speech: [] };
  const twin = await startOpenAiTwin({ script: (call) => says[askedFor(call)].shift(), paceMs });
  const access = { apiKey: twin.key, baseUrl: twin.url, timeouts: patience };
  const server = await startServer({
    ...(options.now && { now: options.now }),
    ai: {
      services: {
        coach: { where: 'own', model: createOpenAiModel({ ...access, model: 'twin' }) },
        transcriber: { where: 'own', transcriber: createOpenAiTranscriber({ ...access, model: 'twin' }) },
        voice: { where: 'own', synthesiser: createOpenAiSynthesiser({ ...access, model: 'voice' }) },
        assessor:
          azure === undefined
            ? null
            : {
                where: 'azure',
                assessor: createAzureAssessor({
                  key: AZURE_KEY,
                  endpoint: azure.endpoint,
                  ...(options.patience && { timeouts: { answerMs: options.patience.silenceMs } }),
                }),
              },
      },
      dailyLimitUsd: null,
      countsMinutes,
    },
  });
  return {
    server,
    twin,
    says,
    close: async () => {
      await server.close();
      await twin.close();
    },
  };
}

/** Begins a conversation in which the coach answers in words of its own; it is the coach's turn. */
export const startLive = (ask: OpenHost['ask'], communicationStyle: 'audio' | 'text' = 'audio') =>
  ask.practice.start({ practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle, coachKind: 'live' });

/** The coach's line, to its end. */
export async function hearCoach(ask: OpenHost['ask'], sessionId: string): Promise<void> {
  for await (const _ of await ask.practice.hearCoach({ sessionId })) continue;
}

/** The same, with the coach's first line heard. */
export async function startLiveHeard(ask: OpenHost['ask']): Promise<SessionId> {
  const { sessionId } = await startLive(ask);
  await hearCoach(ask, sessionId);
  return sessionId;
}
