/** A server whose coach is the real OpenAI adapter connected to a scripted fake. */
import type { StarterCatalogue } from '@parley/catalogue';
import { createAzureAssessor } from '@parley/sync-server/azure-speech';
import { type AzureSpeechFake, startAzureSpeechFake } from '@parley/fakes/azure-speech/index.ts';
import { createOpenAiModel, createOpenAiSynthesiser, createOpenAiTranscriber } from '@parley/sync-server/openai';
import { type OpenAiFake, startOpenAiFake, type RecordedCall, type ScriptStep } from '@parley/fakes/openai/index.ts';
import type { SessionId } from '@parley/domain';
import { LATE_DELIVERY } from './test-catalogue.ts';
import { startServer, type TestServer } from './test-server.ts';
import type { OpenHost } from './open-host.ts';

export interface ModelCoachServer {
  server: TestServer;
  fake: OpenAiFake;
  /** The model's next replies by kind; the fake makes up all others. */
  script: Record<'reply' | 'judge' | 'review' | 'hint' | 'transcript' | 'speech', ScriptStep[]>;
  close(): Promise<void>;
}

export const AZURE_KEY = 'azure-fake-key';

export const startAzure = (
  script: NonNullable<Parameters<typeof startAzureSpeechFake>[0]>['script'] = [],
): Promise<AzureSpeechFake> => startAzureSpeechFake({ key: AZURE_KEY, script });

/** A busy machine may take seconds to answer; only silence after the first byte is tested with these timeouts. */
const SHORT_TIMEOUTS = { firstByteMs: 20_000, silenceMs: 4_000 };

export const answer = (text: string): ScriptStep => ({ does: 'answer', text });
export const json = (value: unknown): ScriptStep => answer(JSON.stringify(value));

/** Kinds by the name of the requested response format. */
const KIND_BY_FORMAT: Readonly<Record<string, keyof ModelCoachServer['script']>> = {
  verdict: 'judge',
  review: 'review',
  replies: 'hint',
};

function requestKind({ path, body }: RecordedCall): keyof ModelCoachServer['script'] {
  if (path.endsWith('/audio/transcriptions')) return 'transcript';
  if (path.endsWith('/audio/speech')) return 'speech';
  const { format } = (body['text'] ?? {}) as { format?: { name?: string } };
  return KIND_BY_FORMAT[format?.name ?? ''] ?? 'reply';
}

export interface ModelCoachServerOptions {
  /** The Azure fake that assesses speech. */
  azure?: AzureSpeechFake;
  /** Delay between two words of the model. */
  wordDelayMs?: number;
  /** Timeouts and retry delays of the services. */
  patience?: { firstByteMs: number; silenceMs: number; maxRetryWaitMs?: number; backoffMs?: number };
  /** Whether sessions need a lease and their minutes are metered. */
  isMetered?: boolean;
  /** The server's clock. */
  now?: () => Date;
  /** What the server has in its catalogue; a small test catalogue by default. */
  catalogue?: StarterCatalogue;
}

export async function startModelCoachServer(options: ModelCoachServerOptions = {}): Promise<ModelCoachServer> {
  const { azure, wordDelayMs = 0, isMetered = false, patience = SHORT_TIMEOUTS } = options;
  const says: ModelCoachServer['script'] = { reply: [], judge: [], review: [], hint: [], transcript: [], speech: [] };
  const fake = await startOpenAiFake({ script: (call) => says[requestKind(call)].shift(), paceMs: wordDelayMs });
  const access = { apiKey: fake.key, baseUrl: fake.url, timeouts: patience };
  const server = await startServer({
    ...(options.now && { now: options.now }),
    ...(options.catalogue && { catalogue: options.catalogue }),
    ai: {
      services: {
        coach: { where: 'own', model: createOpenAiModel({ ...access, model: 'fake' }) },
        transcriber: { where: 'own', transcriber: createOpenAiTranscriber({ ...access, model: 'fake' }) },
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
      isMetered,
    },
  });
  return {
    server,
    fake,
    script: says,
    close: async () => {
      await server.close();
      await fake.close();
    },
  };
}

/** Starts a session with a model coach, in which it is the coach's turn. */
export const startModelSession = (ask: OpenHost['ask'], communicationStyle: 'audio' | 'text' = 'audio') =>
  ask.practice.start({ practiceId: LATE_DELIVERY, difficulty: 'easy', communicationStyle, coachKind: 'model' });

/** Streams the coach's reply to its end. */
export async function streamCoach(ask: OpenHost['ask'], sessionId: string): Promise<void> {
  for await (const _ of await ask.practice.streamCoachReply({ sessionId })) continue;
}

/** Starts such a session and streams the coach's first reply. */
export async function startAfterGreeting(ask: OpenHost['ask']): Promise<SessionId> {
  const { sessionId } = await startModelSession(ask);
  await streamCoach(ask, sessionId);
  return sessionId;
}
