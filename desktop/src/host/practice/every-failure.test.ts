/** Each way in which a service fails, at each place where a practice turn by turn needs one: what the learner is told, keeps and can do. */
import type { ErrorCode } from '@parley/contract';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  AZURE_KEY,
  hearCoach,
  type LiveServer,
  saying,
  startAzure,
  startLiveHeard,
  startLiveServer,
} from '../test-kit/a-live-coach.ts';
import { type OpenHost, openHost, removeDataFolders, sayTurn } from '../test-kit/open-host.ts';

type Step = LiveServer['says']['reply'][number];
type Ask = OpenHost['ask'];

/** As often as it may be tried: what fails, fails for good. */
const TRIES = 4;
const PATIENCE = { firstByteMs: 400, silenceMs: 400, retryWaitMs: 200, backoffMs: 10 };
const SAID = 'Our truck broke down yesterday.';

const FAILURES = [
  ['refuses its key (401)', { does: 'reject', status: 401 }],
  ['has too much to do (429), for longer than anybody waits', { does: 'reject', status: 429, retryAfterMs: 60_000 }],
  ['fails (500)', { does: 'reject', status: 500 }],
  ['does not begin', { does: 'answer_late', ms: 900 }],
  ['breaks off', { does: 'cut', afterEvents: 1 }],
  ['answers no JSON', { does: 'garble_json' }],
  ['falls silent', { does: 'fall_silent', afterEvents: 1 }],
] as const satisfies readonly (readonly [string, Step])[];

type Failing = (typeof FAILURES)[number][0];

let live: LiveServer;
let opened: OpenHost;
let sessionId: string;
beforeAll(async () => {
  live = await startLiveServer({ patience: PATIENCE });
});
afterAll(() => live.close());
beforeEach(async () => {
  await open();
  sessionId = await startLiveHeard(opened.ask);
});
afterEach(async () => {
  for (const steps of Object.values(live.says)) steps.length = 0;
  await opened.host.close();
  removeDataFolders();
});

async function open(dataDir?: string): Promise<void> {
  opened = await openHost({
    serverUrl: live.server.url,
    clock: { now: () => new Date() },
    ...(dataDir === undefined ? {} : { dataDir }),
  });
  await opened.ask.sync.run();
}

/** The same device after a restart, its services well again. */
async function comeBack(): Promise<Ask> {
  for (const steps of Object.values(live.says)) steps.length = 0;
  const { dataDir } = opened;
  await opened.host.close();
  await open(dataDir);
  return opened.ask;
}

const failAt = (where: keyof LiveServer['says'], step: Step): void => {
  live.says[where].push(...Array.from({ length: TRIES }, () => step));
};

const codeOf = (what: Promise<unknown>): Promise<ErrorCode | 'none'> =>
  what.then(
    () => 'none' as const,
    (error: { code: ErrorCode }) => error.code,
  );

const spoken = async (): Promise<string[]> =>
  (await opened.ask.practice.session({ sessionId })).turns.map(({ text }) => text);

/** Entries in the ledger: what a provider charges the server for it. */
const chargedFor = async (use: 'transcribe' | 'assess'): Promise<number> =>
  (await live.server.read(sql`select id from ai_usage where use = ${use} and session_id = ${sessionId}`)).length;

describe('the coach', () => {
  const CODES: Partial<Record<Failing, ErrorCode>> = {
    'refuses its key (401)': 'coach.misconfigured',
    'has too much to do (429), for longer than anybody waits': 'coach.busy',
  };

  it.each(FAILURES)('%s: the turn is kept, and answered once when it is asked again', async (failing, step) => {
    await opened.ask.practice.sendTyped({ sessionId, text: SAID, hintLevel: 0 });
    const before = await spoken();
    failAt('reply', step);
    expect(await codeOf(hearCoach(opened.ask, sessionId))).toBe(CODES[failing] ?? 'coach.unavailable');
    const again = await comeBack();
    expect(await again.practice.session({ sessionId })).toMatchObject({ phase: 'coach_turn' });
    expect(await spoken()).toEqual(before);
    await hearCoach(again, sessionId);
    expect(await spoken()).toEqual([...before, expect.any(String)]);
  });

  it.each(['refuse', 'filter'] as const)('would not answer (%s): it is said another way', async (does) => {
    const { ask } = opened;
    await ask.practice.sendTyped({ sessionId, text: 'Something that is not answered.', hintLevel: 0 });
    failAt('reply', { does });
    expect(await codeOf(hearCoach(ask, sessionId))).toBe('coach.declined');
    const again = await comeBack();
    expect(await again.practice.session({ sessionId })).toMatchObject({ phase: 'learner_turn' });
    await again.practice.sendTyped({ sessionId, text: SAID, hintLevel: 0 });
    live.says.reply.push(saying('I see. When will it come?'));
    await hearCoach(again, sessionId);
    expect((await spoken()).slice(1)).toEqual(['Something that is not answered.', SAID, 'I see. When will it come?']);
    const asked = live.twin.calls.filter(({ body }) => JSON.stringify(body).includes(SAID));
    expect(asked.length).toBeGreaterThan(0);
    expect(JSON.stringify(asked)).not.toContain('not answered');
  });
});

describe('whoever writes down what is said', () => {
  it.each(FAILURES)('%s: the same card after a restart, and then it is heard', async (failing, step) => {
    const { turnId, recordingId } = await sayTurn(opened.ask, sessionId);
    failAt('transcript', step);
    const heard = await opened.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
    expect(heard).toMatchObject({
      status: 'not_recognised',
      failure: failing === 'refuses its key (401)' ? 'coach.misconfigured' : 'speech.unavailable',
    });
    const again = await comeBack();
    expect((await again.practice.session({ sessionId })).waitingTurn).toEqual(heard);
    // What was refused costs nobody anything; what broke off costs the server, by each try.
    const inVain = await chargedFor('transcribe');
    expect(inVain > 0).toBe(step.does !== 'reject');
    live.says.transcript.push(saying(SAID));
    await again.practice.hearAgain({ sessionId, turnId });
    expect(await chargedFor('transcribe')).toBe(inVain + 1);
    await again.practice.sendTurn({ sessionId, turnId });
    const { turns } = await again.practice.session({ sessionId });
    expect(turns.at(-1)).toMatchObject({ text: SAID, recordingId, assessment: { source: 'device' } });
  });
});

describe('the judge', () => {
  it.each(FAILURES)('%s: its ticks are lost, and nothing else', async (_, step) => {
    await opened.ask.practice.sendTyped({ sessionId, text: SAID, hintLevel: 0 });
    failAt('judge', step);
    live.says.reply.push(saying('I see. When will it come?'));
    await hearCoach(opened.ask, sessionId);
    expect((await spoken()).at(-1)).toBe('I see. When will it come?');
  });
});

describe('whoever looks back on the conversation', () => {
  it.each(FAILURES)('%s: the session is complete without its sentences', async (_, step) => {
    await opened.ask.practice.sendTyped({ sessionId, text: SAID, hintLevel: 0 });
    await hearCoach(opened.ask, sessionId);
    failAt('review', step);
    const result = await opened.ask.practice.finish({ sessionId });
    expect(result).toMatchObject({ status: 'completed', feedback: { best: expect.any(String) } });
    expect(result.feedback?.languageQuality ?? null).toBeNull();
    expect(result.feedback?.corrections).toBeUndefined();
  });
});

describe('whoever gives hints', () => {
  it.each(FAILURES)('%s: it says so, and can be asked again', async (_, step) => {
    failAt('hint', step);
    expect(await codeOf(opened.ask.practice.hint({ sessionId, level: 1 }))).toMatch(/^coach\./);
    live.says.hint.length = 0;
    expect((await opened.ask.practice.hint({ sessionId, level: 1 })).hints.length).toBeGreaterThan(0);
  });
});

describe('the coach’s voice', () => {
  const voice = { gender: 'female', locale: 'en', rate: 1, pitch: 1 } as const;
  const hearLine = async (text: string): Promise<void> => {
    for await (const _ of await opened.ask.voice.speakLine({ text, voice })) continue;
  };

  // Sound is no JSON.
  it.each(FAILURES.filter(([failing]) => failing !== 'answers no JSON'))(
    '%s: another voice is asked, and the next line has its own again',
    async (failing, step) => {
      const text = `The voice ${failing}.`;
      failAt('speech', step);
      expect(await codeOf(hearLine(text))).toMatch(/^(speech|coach)\./);
      live.says.speech.length = 0;
      expect(await codeOf(hearLine(text))).toBe('none');
    },
  );
});

describe('Azure', () => {
  it.each([
    ['refuses its key (401)', { refuse: 401 }],
    ['has too much to do (429)', { refuse: 429 }],
    ['fails (500)', { refuse: 500 }],
    ['does not answer', { answerAfterMs: 3_000 }],
    ['breaks off', { cutAfterBytes: 12_800 }],
    ['answers no JSON', { malformed: true }],
  ] as const)('%s: another is asked; where nobody can, it waits to be heard later', async (_, step) => {
    const azure = await startAzure(Array.from({ length: 8 * TRIES }, () => step));
    const server = live;
    live = await startLiveServer({ azure, patience: PATIENCE });
    try {
      await opened.host.close();
      await open();
      sessionId = await startLiveHeard(opened.ask);
      const { turnId } = await sayTurn(opened.ask, sessionId);
      failAt('transcript', { does: 'reject', status: 500 });
      const heard = await opened.ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
      expect(heard).toMatchObject({ status: 'not_recognised', failure: 'speech.unavailable' });
      const again = await comeBack();
      expect((await again.practice.session({ sessionId })).waitingTurn).toEqual(heard);
      expect((await chargedFor('assess')) > 0).toBe(!('refuse' in step));
      live.says.transcript.push(saying(SAID));
      expect(await again.practice.hearAgain({ sessionId, turnId })).toMatchObject({
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
  it.each(['finish', 'discard'] as const)('are given back where nobody could hear the learner: %s', async (end) => {
    const server = live;
    let passedMs = 0;
    const now = (): Date => new Date(Date.now() + passedMs);
    live = await startLiveServer({ patience: PATIENCE, countsMinutes: true, now });
    try {
      await opened.host.close();
      await open();
      const { ask } = opened;
      sessionId = await startLiveHeard(ask);
      const { turnId } = await sayTurn(ask, sessionId);
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
  });
});
