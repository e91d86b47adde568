/** Sets up a paid coach on a metered server, with the real adapters in front of fake providers. */
import { randomUUID } from 'node:crypto';
import { and, eq, notInArray } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { DatabaseConnection } from '../../db/client.ts';
import { aiSpending, aiUsage } from '../../db/metering-tables.ts';
import { createAzureAssessor } from '../../integrations/azure-speech/index.ts';
import { type AzureSpeechFake, startAzureSpeechFake } from '@parley/fakes/azure-speech/index.ts';
import {
  createOpenAiModel,
  createOpenAiRealtime,
  createOpenAiSynthesiser,
  createOpenAiTranscriber,
} from '../../integrations/openai/index.ts';
import { type OpenAiFake, startOpenAiFake, type ScriptStep } from '@parley/fakes/openai/index.ts';
import { type CatalogueIds, catalogueIds } from '../../../test-kit/sync/rows.ts';
import { joinDevice, registerDevice, startServer, type TestDevice, type TestServer } from '../../../test-kit/server.ts';

const SHORT_TIMEOUTS = { firstByteMs: 10_000, silenceMs: 1_000, maxRetryWaitMs: 50, backoffMs: 5 };
export const ONE_SECOND_PCM = Buffer.alloc(32_000);
/** The price of 20,000 tokens of the most expensive kind. */
export const DAILY_LIMIT_USD = 0.2;

interface OpenedFixture {
  fake: OpenAiFake;
  azure: AzureSpeechFake;
  server: TestServer;
  /** The server's address on a real socket. */
  address: string;
  laptop: TestDevice;
  phone: TestDevice;
  ids: CatalogueIds;
}

/** Creates the fixture of a suite, which opens it before its tests. */
export function coachingFixture(open: () => Promise<DatabaseConnection>) {
  let opened: OpenedFixture | null = null;
  const now = (): OpenedFixture => {
    if (opened === null) throw new Error('the fixture opens before the first test');
    return opened;
  };
  /** The response to every OpenAI call of the current test. */
  let always: ScriptStep | undefined;

  beforeAll(async () => {
    // Without a script, the fake makes up its answers, so no test may depend on their words.
    const fake = await startOpenAiFake({ script: () => always });
    const azure = await startAzureSpeechFake({ key: 'azure-key' });
    const access = { apiKey: fake.key, baseUrl: fake.url, timeouts: SHORT_TIMEOUTS };
    const server = await startServer(await open(), {
      withCatalogue: true,
      logLevel: 'error',
      ai: {
        services: {
          coach: { where: 'openai', model: createOpenAiModel({ ...access, model: 'gpt-5-mini' }) },
          transcriber: { where: 'openai', transcriber: createOpenAiTranscriber({ ...access, model: 'transcriber' }) },
          voice: { where: 'openai', synthesiser: createOpenAiSynthesiser({ ...access, model: 'voice' }) },
          assessor: {
            where: 'azure',
            assessor: createAzureAssessor({ key: 'azure-key', endpoint: azure.endpoint }),
          },
        },
        realtime: { where: 'openai', voice: createOpenAiRealtime({ ...access, model: 'gpt-realtime' }) },
        dailyLimitUsd: DAILY_LIMIT_USD,
        isMetered: true,
      },
    });
    // Another suite on this database may have spent the budgets of the same days.
    await server.database.db.delete(aiSpending);
    const laptop = await registerDevice(server);
    const phone = await joinDevice(server, laptop);
    const ids = await catalogueIds(laptop);
    opened = { fake, azure, server, address: await server.listen(), laptop, phone, ids };
  });
  afterEach(() => {
    always = undefined;
    // Moves to the next day, so that spending in one test does not affect another.
    now().server.advanceClock(25 * 3_600_000);
  });
  afterAll(async () => {
    await now().server.close();
    await now().fake.close();
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
  /** Provider costs only; live minutes and audio without words are counted separately. */
  const usage = async (sessionId: string) =>
    now()
      .server.database.db.select()
      .from(aiUsage)
      .where(and(eq(aiUsage.sessionId, sessionId), notInArray(aiUsage.use, ['live', 'wordless'])));
  const lease = (sessionId: string, device = now().laptop, takeOver = false) =>
    now().server.post(
      '/v1/coach/lease',
      { sessionId, style: 'turn_based', timeZone: 'Europe/Berlin', takeOver },
      device.token,
    );
  const transcribe = (sessionId: string, payload: Buffer = ONE_SECOND_PCM, device = now().laptop, type = 'audio/l16') =>
    now().server.send({
      method: 'POST',
      url: `/v1/speech/transcribe?sessionId=${sessionId}`,
      headers: { authorization: `Bearer ${device.token}`, 'content-type': type },
      payload,
    });

  return {
    now,
    /** Answers every OpenAI call with this step until the test ends. */
    always: (step: ScriptStep): void => {
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
