/** Every service failure at every step of a turn-based practice: what the learner sees, keeps and can do. */
import type { ErrorCode } from '@parley/contract';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  AZURE_KEY,
  streamCoach,
  type ModelCoachServer,
  answer,
  startAzure,
  startAfterGreeting,
  startModelCoachServer,
} from '../test-kit/model-coach-server.ts';
import { type OpenHost, openHost, recordTurn } from '../test-kit/open-host.ts';

type Step = ModelCoachServer['script']['reply'][number];
type Ask = OpenHost['ask'];

/** The failure is repeated as often as the call is retried, so it is permanent. */
const MAX_ATTEMPTS = 4;
const PATIENCE = { firstByteMs: 1_000, silenceMs: 400, maxRetryWaitMs: 200, backoffMs: 10 };
const SAID = 'Our truck broke down yesterday.';

const FAILURES = [
  ['refuses its key (401)', { does: 'reject', status: 401 }],
  ['is busy (429) for longer than the timeout', { does: 'reject', status: 429, retryAfterMs: 60_000 }],
  ['fails (500)', { does: 'reject', status: 500 }],
  ['does not begin', { does: 'answer_late', ms: 5_000 }],
  ['breaks off', { does: 'cut', afterEvents: 1 }],
  ['replies without JSON', { does: 'garble_json' }],
  ['falls silent', { does: 'fall_silent', afterEvents: 1 }],
] as const satisfies readonly (readonly [string, Step])[];

type Failing = (typeof FAILURES)[number][0];

let live: ModelCoachServer;
let opened: OpenHost;
let sessionId: string;
beforeAll(async () => {
  live = await startModelCoachServer({ patience: PATIENCE });
});
afterAll(() => live.close());
beforeEach(async () => {
  await open();
  sessionId = await startAfterGreeting(opened.ask);
});
afterEach(async () => {
  for (const steps of Object.values(live.script)) steps.length = 0;
  await opened.host.close();
});

async function open(dataDir?: string): Promise<void> {
  opened = await openHost({
    serverUrl: live.server.url,
    clock: { now: () => new Date() },
    ...(dataDir === undefined ? {} : { dataDir }),
  });
  await opened.ask.sync.run();
}

/** Restarts the device with all services working again. */
async function restartWithServices(): Promise<Ask> {
  for (const steps of Object.values(live.script)) steps.length = 0;
  const { dataDir } = opened;
  await opened.host.close();
  await open(dataDir);
  return opened.ask;
}

const failAt = (where: keyof ModelCoachServer['script'], step: Step): void => {
  live.script[where].push(...Array.from({ length: MAX_ATTEMPTS }, () => step));
};

const codeOf = (what: Promise<unknown>): Promise<ErrorCode | 'none'> =>
  what.then(
    () => 'none' as const,
    (error: { code: ErrorCode }) => error.code,
  );

const turnTexts = async (): Promise<string[]> =>
  (await opened.ask.practice.session({ sessionId })).turns.map(({ text }) => text);

/** Counts the ledger entries, each a charge by a provider to the server for this session. */
const chargedFor = async (use: 'transcribe' | 'assess'): Promise<number> =>
  (await live.server.read(sql`select id from ai_usage where use = ${use} and session_id = ${sessionId}`)).length;

describe('a failing coach', () => {
  const CODES: Partial<Record<Failing, ErrorCode>> = {
    'refuses its key (401)': 'coach.misconfigured',
    'is busy (429) for longer than the timeout': 'coach.busy',
  };

  it.each(FAILURES)('%s: keeps the turn and replies once when asked again', async (failing, step) => {
    await opened.ask.practice.sendTyped({ sessionId, text: SAID, hintLevel: 0 });
    const before = await turnTexts();
    failAt('reply', step);
    expect(await codeOf(streamCoach(opened.ask, sessionId))).toBe(CODES[failing] ?? 'coach.unavailable');
    const again = await restartWithServices();
    expect(await again.practice.session({ sessionId })).toMatchObject({ phase: 'coach_turn' });
    expect(await turnTexts()).toEqual(before);
    await streamCoach(again, sessionId);
    expect(await turnTexts()).toEqual([...before, expect.any(String)]);
  });

  it.each(['refuse', 'filter'] as const)('%s by the coach: the learner can rephrase', async (does) => {
    const { ask } = opened;
    await ask.practice.sendTyped({ sessionId, text: 'Something that is not answered.', hintLevel: 0 });
    failAt('reply', { does });
    expect(await codeOf(streamCoach(ask, sessionId))).toBe('coach.declined');
    const again = await restartWithServices();
    expect(await again.practice.session({ sessionId })).toMatchObject({ phase: 'learner_turn' });
    await again.practice.sendTyped({ sessionId, text: SAID, hintLevel: 0 });
    live.script.reply.push(answer('I see. When will it come?'));
    await streamCoach(again, sessionId);
    expect((await turnTexts()).slice(1)).toEqual([
      'Something that is not answered.',
      SAID,
      'I see. When will it come?',
    ]);
    const asked = live.fake.calls.filter(({ body }) => JSON.stringify(body).includes(SAID));
    expect(asked.length).toBeGreaterThan(0);
    expect(JSON.stringify(asked)).not.toContain('not answered');
  });
});

describe('a failing transcriber', () => {
  it.each(FAILURES)(
    '%s: shows the same card after a restart, then transcribes',
    { tags: ['slow'] },
    async (failing, step) => {
      const { turnId, recordingId } = await recordTurn(opened.ask, sessionId);
      failAt('transcript', step);
      const heard = await opened.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
      expect(heard).toMatchObject({
        status: 'not_recognised',
        failure: failing === 'refuses its key (401)' ? 'coach.misconfigured' : 'speech.unavailable',
      });
      const again = await restartWithServices();
      expect((await again.practice.session({ sessionId })).waitingTurn).toEqual(heard);
      // A refused request costs nothing; each request that breaks off costs the server.
      const inVain = await chargedFor('transcribe');
      expect(inVain > 0).toBe(step.does !== 'reject');
      live.script.transcript.push(answer(SAID));
      await again.practice.reassessTurn({ sessionId, turnId });
      expect(await chargedFor('transcribe')).toBe(inVain + 1);
      await again.practice.sendTurn({ sessionId, turnId });
      const { turns } = await again.practice.session({ sessionId });
      expect(turns.at(-1)).toMatchObject({ text: SAID, recordingId, assessment: { source: 'device' } });
    },
  );
});

describe('a failing judge', { tags: ['slow'] }, () => {
  it.each(FAILURES)('%s: loses only its judgement', async (_, step) => {
    await opened.ask.practice.sendTyped({ sessionId, text: SAID, hintLevel: 0 });
    failAt('judge', step);
    live.script.reply.push(answer('I see. When will it come?'));
    await streamCoach(opened.ask, sessionId);
    expect((await turnTexts()).at(-1)).toBe('I see. When will it come?');
  });
});

describe('a failing review', { tags: ['slow'] }, () => {
  it.each(FAILURES)('%s: completes the session without its sentences', async (_, step) => {
    await opened.ask.practice.sendTyped({ sessionId, text: SAID, hintLevel: 0 });
    await streamCoach(opened.ask, sessionId);
    failAt('review', step);
    const result = await opened.ask.practice.finish({ sessionId });
    expect(result).toMatchObject({ status: 'completed', feedback: { best: expect.any(String) } });
    expect(result.feedback?.languageQuality ?? null).toBeNull();
    expect(result.feedback?.corrections).toBeUndefined();
  });
});

describe('failing hints', { tags: ['slow'] }, () => {
  it.each(FAILURES)('%s: reports it and can be asked again', async (_, step) => {
    failAt('hint', step);
    expect(await codeOf(opened.ask.practice.hint({ sessionId, level: 1 }))).toMatch(/^coach\./);
    live.script.hint.length = 0;
    expect((await opened.ask.practice.hint({ sessionId, level: 1 })).hints.length).toBeGreaterThan(0);
  });
});

describe('a failing voice', { tags: ['slow'] }, () => {
  const voice = { gender: 'female', locale: 'en', rate: 1, pitch: 1 } as const;
  const requestSpeech = async (text: string): Promise<void> => {
    for await (const _ of await opened.ask.voice.speakLine({ text, voice })) continue;
  };

  // Audio is never JSON.
  it.each(FAILURES.filter(([failing]) => failing !== 'replies without JSON'))(
    '%s: reports it, and the next utterance works again',
    async (failing, step) => {
      const text = `The voice ${failing}.`;
      failAt('speech', step);
      expect(await codeOf(requestSpeech(text))).toMatch(/^(speech|coach)\./);
      live.script.speech.length = 0;
      expect(await codeOf(requestSpeech(text))).toBe('none');
    },
  );
});

describe('a failing Azure', { tags: ['slow'] }, () => {
  it.each([
    ['refuses its key (401)', { refuse: 401 }],
    ['is busy (429)', { refuse: 429 }],
    ['fails (500)', { refuse: 500 }],
    ['does not answer', { answerAfterMs: 3_000 }],
    ['breaks off', { cutAfterBytes: 12_800 }],
    ['replies without JSON', { malformed: true }],
  ] as const)('%s: falls back, or keeps the turn for later', async (_, step) => {
    const azure = await startAzure(Array.from({ length: 8 * MAX_ATTEMPTS }, () => step));
    const server = live;
    live = await startModelCoachServer({ azure, patience: PATIENCE });
    try {
      await opened.host.close();
      await open();
      sessionId = await startAfterGreeting(opened.ask);
      const { turnId } = await recordTurn(opened.ask, sessionId);
      failAt('transcript', { does: 'reject', status: 500 });
      const heard = await opened.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
      expect(heard).toMatchObject({ status: 'not_recognised', failure: 'speech.unavailable' });
      const again = await restartWithServices();
      expect((await again.practice.session({ sessionId })).waitingTurn).toEqual(heard);
      expect((await chargedFor('assess')) > 0).toBe(!('refuse' in step));
      live.script.transcript.push(answer(SAID));
      expect(await again.practice.reassessTurn({ sessionId, turnId })).toMatchObject({
        status: 'heard',
        text: SAID,
        assessment: { source: 'device' },
      });
    } finally {
      await live.close();
      await azure.close();
      live = server;
    }
    expect(azure.calls.every(({ key }) => key === AZURE_KEY)).toBe(true);
  });
});

describe('minutes', () => {
  it.each(['finish', 'discard'] as const)(
    'are not charged when a turn was never transcribed: %s',
    { tags: ['slow'] },
    async (end) => {
      const server = live;
      let passedMs = 0;
      const now = (): Date => new Date(Date.now() + passedMs);
      live = await startModelCoachServer({ patience: PATIENCE, isMetered: true, now });
      try {
        await opened.host.close();
        await open();
        const { ask } = opened;
        sessionId = await startAfterGreeting(ask);
        const { turnId } = await recordTurn(ask, sessionId);
        failAt('transcript', { does: 'reject', status: 500 });
        expect(await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 })).toMatchObject({
          failure: 'speech.unavailable',
        });
        expect(await live.server.read(sql`select session_id from ai_leases`)).toHaveLength(1);
        passedMs = 20_000;
        await ask.practice[end]({ sessionId });
        await expect.poll(() => live.server.read(sql`select session_id from ai_leases`)).toEqual([]);
        const [counted] = await live.server.read(
          sql`select count(*)::int as entries, sum(seconds)::int as seconds from ai_usage where use = 'live'`,
        );
        expect(counted).toEqual({ entries: 2, seconds: 0 });
      } finally {
        await live.close();
        live = server;
      }
    },
  );
});
