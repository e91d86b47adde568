import { REALTIME_BYTES_PER_MS } from '@parley/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCatalogue, installBundledCatalogue } from '../../catalogue/index.ts';
import { type CoachClient, CoachError, createCoachClient } from '../../coach/index.ts';
import { openRecordings } from '../../recordings/index.ts';
import { failed } from '../../result/index.ts';
import type { Store } from '../../store/index.ts';
import { aClock, aScriptedScorer, voiceLikePcm } from '../../test-kit/open-host.ts';
import { openTestStore } from '../../test-kit/open-test-store.ts';
import { seededSessionId, seedSessions } from '../../test-kit/seed-sessions.ts';
import { aCatalogue } from '../../test-kit/test-catalogue.ts';
import { createRealtimeSession } from './realtime-session.ts';

const SESSION = seededSessionId(0);
type RealtimeEvents = Parameters<CoachClient['openRealtime']>[1];

let store: Store;
const logged = vi.fn();
beforeEach(async () => {
  logged.mockClear();
  store = await openTestStore();
  await installBundledCatalogue(store, aCatalogue);
  seedSessions(store.dataDir, 1);
  store.sqlite.exec("UPDATE practice_history SET status = 'in_progress'");
});
afterEach(() => {
  vi.restoreAllMocks();
  store.close();
});

/** Starts a realtime session with unsent audio; `coach` is the server's side of its connection. */
function startSession() {
  let coach: RealtimeEvents | undefined;
  const connection = { sendMessage: () => undefined, sendAudio: () => undefined, close: () => undefined };
  const whenOver = vi.fn();
  const logger = { info: () => undefined, warn: () => undefined, error: logged };
  const recordings = openRecordings(store, logger);
  const call = createRealtimeSession(
    {
      store,
      recordings,
      logger,
      catalogue: createCatalogue(store),
      scorer: aScriptedScorer(),
      coach: {
        ...createCoachClient({ connection: () => null, clock: aClock(), timeZone: () => 'Europe/Berlin' }),
        openRealtime: (_request, events) => {
          coach = events;
          return connection;
        },
      },
    },
    { sessionId: SESSION, takeOver: false, patienceMs: null, unsentAudio: voiceLikePcm(1_000), whenOver },
  );
  if (coach === undefined) throw new Error('the session was not dialled');
  return { call, coach, lastCoach: () => coach, whenOver, recordings };
}

async function readAll<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** Every later write fails as on a full disk. */
function fillDatabase(): void {
  vi.spyOn(store, 'transaction').mockImplementation(() => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  });
}

it('keeps a waiting turn that cannot be stored when the session ends', async () => {
  const { call, whenOver, recordings } = startSession();
  fillDatabase();
  call.abort(null);
  await call.whenOver();
  expect(whenOver).toHaveBeenCalledOnce();
  expect(await readAll(call.events)).toContainEqual({ type: 'over', reason: 'ended' });
  expect(logged).toHaveBeenCalledWith(expect.anything(), 'realtime_session_not_stored');
  vi.restoreAllMocks();
  expect(recordings.interrupt({ sessionId: SESSION })).toMatchObject({ state: 'waiting', sampleCount: 16_000 });
});

it("a session ends although the coach's last utterance cannot be stored", async () => {
  const { call, coach, whenOver } = startSession();
  coach.onMessage({ type: 'ready', expiresAt: '2026-01-01T00:00:00Z', remainingS: null });
  coach.onMessage({ type: 'coachStarted', itemId: 'coach-1', line: 1 });
  coach.onMessage({ type: 'coachWords', itemId: 'coach-1', text: 'Good morning.' });
  coach.sound(1, new Uint8Array(1_000 * REALTIME_BYTES_PER_MS));
  call.onPlayed({ itemId: 'coach-1', audioMs: 1_000 });
  fillDatabase();
  call.abort({ code: 'live.other_window' });
  await call.whenOver();
  expect(whenOver).toHaveBeenCalledOnce();
});

it('a session ends although its practice session cannot be paused', async () => {
  const { call, whenOver } = startSession();
  whenOver.mockImplementation(() => {
    throw new Error('the session cannot be paused');
  });
  call.abort(null);
  await call.whenOver();
  expect(await readAll(call.events)).toContainEqual({ type: 'over', reason: 'ended' });
});

describe('a call that reconnects', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** The connection breaks, and breaks again at once when it is redialled 300 ms later. */
  function breakTwice(whileAway: () => void) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const session = startSession();
    session.coach.onMessage({ type: 'ready', expiresAt: '2026-01-01T00:00:00Z', remainingS: null });
    session.coach.onClosed(null);
    vi.advanceTimersByTime(300);
    whileAway();
    session.lastCoach()?.onClosed(null);
    return session;
  }

  it.each([
    ['forward', 3_600_000],
    ['back', -3_600_000],
  ])('is not affected by a clock that is set %s', (_direction, byMs) => {
    const set = new Date(store.clock.now().getTime() + byMs);
    const setClock = (): void => void vi.spyOn(store.clock, 'now').mockReturnValue(set);
    expect(breakTwice(setClock).whenOver).not.toHaveBeenCalled();
    vi.useRealTimers();
    const late = breakTwice(() => {
      setClock();
      vi.advanceTimersByTime(30_000);
    });
    expect(late.whenOver).toHaveBeenCalledOnce();
  });
});

describe('a change that cannot be stored in mid-call', () => {
  it('ends the session with its reason and keeps the conversation', async () => {
    const { call, coach, whenOver, recordings } = startSession();
    coach.onMessage({ type: 'ready', expiresAt: '2026-01-01T00:00:00Z', remainingS: null });
    fillDatabase();
    coach.onMessage({ type: 'learnerSaid', itemId: 'learner-1', text: 'Good morning.', fromMs: 0, toMs: 1_000 });
    expect(whenOver).toHaveBeenCalledOnce();
    expect(await readAll(call.events)).toContainEqual(new CoachError({ code: 'storage.full' }));
    vi.restoreAllMocks();
    expect(recordings.interrupt({ sessionId: SESSION })).toMatchObject({ state: 'waiting', sampleCount: 16_000 });
  });

  it('leaves the recording that was just cut', () => {
    const { coach, recordings } = startSession();
    coach.onMessage({ type: 'ready', expiresAt: '2026-01-01T00:00:00Z', remainingS: null });
    vi.spyOn(recordings, 'markAsSent').mockImplementationOnce(() => {
      throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    });
    coach.onMessage({ type: 'learnerSaid', itemId: 'learner-1', text: 'Good morning.', fromMs: 0, toMs: 1_000 });
    expect(recordings.waitingRecording(SESSION)).toMatchObject({ sampleCount: 16_000 });
  });
});

describe('a sound without recognised words', () => {
  function hear(toMs: number, times = 1) {
    const started = startSession();
    started.coach.onMessage({ type: 'ready', expiresAt: '2026-01-01T00:00:00Z', remainingS: null });
    const says = (): void => {
      for (let nr = 0; nr < times; nr += 1)
        started.coach.onMessage({ type: 'learnerSaid', itemId: `sound-${nr}`, text: '', fromMs: 0, toMs });
    };
    return { ...started, says };
  }

  it('is kept with the result when it is long, ten times in a call', () => {
    const { says, recordings } = hear(1_000, 12);
    says();
    expect(recordings.listUnsent(SESSION)).toHaveLength(10);
  });

  it('is not kept when it is short, such as a cough', () => {
    const { says, recordings } = hear(400);
    says();
    expect(recordings.listUnsent(SESSION)).toEqual([]);
  });

  it('does not end the call when the disk is full', () => {
    const { says, recordings, whenOver } = hear(1_000);
    vi.spyOn(recordings, 'begin').mockReturnValue(failed('storage.full'));
    says();
    expect(whenOver).not.toHaveBeenCalled();
  });
});
