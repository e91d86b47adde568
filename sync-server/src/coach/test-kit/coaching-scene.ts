/** A coach that has a price, on a server whose plans count minutes: the real adapters before the twins of their providers. */
import { randomUUID } from 'node:crypto';
import { and, eq, ne } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { aiUsage } from '../../db/tables.ts';
import { createAzureAssessor } from '../../integrations/azure-speech/index.ts';
import { type AzureSpeechTwin, startAzureSpeechTwin } from '../../integrations/azure-speech/twin/index.ts';
import {
  createOpenAiModel,
  createOpenAiRealtime,
  createOpenAiSynthesiser,
  createOpenAiTranscriber,
} from '../../integrations/openai/index.ts';
import { type OpenAiTwin, startOpenAiTwin, type TwinStep } from '../../integrations/openai/twin/index.ts';
import { type CatalogueIds, catalogueIds } from '../../test-kit/rows.ts';
import { joinDevice, registerDevice, startServer, type TestDevice, type TestServer } from '../../test-kit/server.ts';

const QUICK = { firstByteMs: 1_000, silenceMs: 1_000, retryWaitMs: 50, backoffMs: 5 };
export const A_SECOND = Buffer.alloc(32_000);
/** 20,000 tokens of the dearest kind. */
export const DAILY_LIMIT_USD = 0.2;

interface Opened {
  twin: OpenAiTwin;
  azure: AzureSpeechTwin;
  server: TestServer;
  /** Of the server, over a socket. */
  address: string;
  laptop: TestDevice;
  phone: TestDevice;
  ids: CatalogueIds;
}

/** For a suite, which opens it before its tests. */
export function coachingScene(open: () => Promise<DatabaseConnection>) {
  let opened: Opened | null = null;
  const now = (): Opened => {
    if (opened === null) throw new Error('the scene opens before the first test');
    return opened;
  };
  /** What every call gets, for as long as a test lasts. */
  let always: TwinStep | undefined;

  beforeAll(async () => {
    // Where nothing is scripted the twin makes something up: no test may lean on its words.
    const twin = await startOpenAiTwin({ script: () => always });
    const azure = await startAzureSpeechTwin({ key: 'azure-key' });
    const access = { apiKey: twin.key, baseUrl: twin.url, timeouts: QUICK };
    const server = await startServer(await open(), {
      withCatalogue: true,
      ai: {
        services: {
          coach: { where: 'openai', model: createOpenAiModel({ ...access, model: 'gpt-5-mini' }) },
          transcriber: { where: 'openai', transcriber: createOpenAiTranscriber({ ...access, model: 'ears' }) },
          voice: { where: 'openai', synthesiser: createOpenAiSynthesiser({ ...access, model: 'voice' }) },
          assessor: {
            where: 'azure',
            assessor: createAzureAssessor({ key: 'azure-key', endpoint: azure.endpoint }),
          },
        },
        realtime: { where: 'openai', voice: createOpenAiRealtime({ ...access, model: 'gpt-realtime' }) },
        dailyLimitUsd: DAILY_LIMIT_USD,
        countsMinutes: true,
      },
    });
    const laptop = await registerDevice(server);
    const phone = await joinDevice(server, laptop);
    const ids = await catalogueIds(laptop);
    opened = { twin, azure, server, address: await server.listen(), laptop, phone, ids };
  });
  afterEach(() => {
    always = undefined;
    // Another day, so that what a test spent is not another's.
    now().server.pass(25 * 3_600_000);
  });
  afterAll(async () => {
    await now().server.close();
    await now().twin.close();
    await now().azure.close();
  });

  const held = (change: object = {}) => ({
    sessionId: randomUUID(),
    practiceId: now().ids.practiceId,
    agentId: now().ids.agentId,
    difficulty: 'easy',
    turns: [],
    completed: [],
    ...change,
  });
  const coachSaid = (text: string) => ({
    role: 'coach',
    turnId: randomUUID(),
    at: now().server.now().toISOString(),
    text,
    node: null,
    kind: 'line',
  });
  const learnerSaid = (text: string) => ({
    role: 'learner',
    turnId: randomUUID(),
    at: now().server.now().toISOString(),
    text,
    mode: 'typed',
    node: null,
    fitted: true,
    recordingId: null,
    assessment: null,
    hintLevel: 0,
  });
  const talked = () => [coachSaid('Hello, what can I do?'), learnerSaid('I have a small problem with my file.')];

  async function reply(asked: object, device = now().laptop) {
    const { statusCode, payload } = await now().server.app.inject({
      method: 'POST',
      url: '/v1/coach/reply',
      headers: { authorization: `Bearer ${device.token}` },
      payload: asked,
    });
    const events = payload.split('\n\n').flatMap((event) => {
      const kind = /^event: (.*)$/m.exec(event)?.[1];
      const data = /^data: (.*)$/m.exec(event)?.[1];
      return kind === undefined || data === undefined
        ? []
        : [{ kind, data: JSON.parse(data) as Record<string, unknown> }];
    });
    return { statusCode, events, error: events.find(({ kind }) => kind === 'error')?.data['code'] };
  }
  /** What providers were paid for it; the learner's minutes are another account. */
  const usage = async (sessionId: string) =>
    now()
      .server.database.db.select()
      .from(aiUsage)
      .where(and(eq(aiUsage.sessionId, sessionId), ne(aiUsage.use, 'live')));
  const lease = (sessionId: string, device = now().laptop, takeOver = false) =>
    now().server.post(
      '/v1/coach/lease',
      { sessionId, style: 'turn_based', timeZone: 'Europe/Berlin', takeOver },
      device.token,
    );
  const transcribe = (sessionId: string, payload: Buffer = A_SECOND, device = now().laptop, type = 'audio/l16') =>
    now().server.send({
      method: 'POST',
      url: `/v1/speech/transcribe?sessionId=${sessionId}`,
      headers: { authorization: `Bearer ${device.token}`, 'content-type': type },
      payload,
    });

  return {
    now,
    /** From here to the end of the test every call of OpenAI gets this. */
    always: (step: TwinStep): void => {
      always = step;
    },
    held,
    coachSaid,
    learnerSaid,
    talked,
    reply,
    usage,
    lease,
    transcribe,
  };
}
