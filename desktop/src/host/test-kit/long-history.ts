/** An account with years of practice, whose devices first list all sessions and fetch most conversations later. */
import { DeviceId, type SessionId } from '@parley/domain';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { HostOptions } from '../index.ts';
import { createDevices, type Devices, identityOf, typeTurns, untilNothingWaits } from './devices.ts';
import { aClock, type OpenHost } from './open-host.ts';
import { inDatabase } from './read-database.ts';
import { startServer, type TestServer } from './test-server.ts';

const LONG_AGO = '2026-03-01T10:00:00.000Z';
const DAY_MS = 24 * 3_600_000;
const DAYS_SINCE = 200;

/** How many sessions are old enough to be fetched later. */
export const OLD_SESSIONS = 7;
export const TURNS_PATH = '/v1/sync/turns';
/** Background work would only begin long after the test. */
export const LATER = { pauseMs: 3_600_000 };
export const AT_ONCE = { pauseMs: 0, quietMs: 0 };

export interface History {
  one: OpenHost;
  old: SessionId[];
  recent: SessionId;
}

export interface LongHistoryFixture {
  server: TestServer;
  devices: Devices;
  now: () => Date;
  /** Advances the clock until everything done before is no longer recent. */
  passYears: () => void;
  /** Some finished sessions from long ago, and one from today. */
  aLongHistory: () => Promise<History>;
  /** Adds another device, which fetches nothing in the background. */
  join: (first: OpenHost, options?: Partial<HostOptions>) => Promise<OpenHost>;
}

/**
 * Call this at the top of a test file: the server starts before the tests, and its faults are reset after each of them.
 */
export function setUpLongHistory(): LongHistoryFixture {
  let clock = aClock(LONG_AGO);
  const devices = createDevices(() => ({ serverUrl: scene.server.url, clock }));
  const passYears = (): void => clock.pass(DAYS_SINCE * DAY_MS);
  const scene: LongHistoryFixture = {
    server: {} as TestServer,
    devices,
    now: () => clock.now(),
    passYears,
    async aLongHistory() {
      const one = await devices.open();
      const old: SessionId[] = [];
      for (let nr = 0; nr < OLD_SESSIONS; nr += 1) {
        const sessionId = await typeTurns(one, `elephant number ${nr}`);
        await one.ask.practice.finish({ sessionId });
        old.push(sessionId);
        clock.pass(60_000);
        await untilNothingWaits(one);
      }
      passYears();
      const recent = await typeTurns(one, 'a recent giraffe');
      await untilNothingWaits(one);
      return { one, old, recent };
    },
    join: (first, options) => devices.openJoined(first, { turns: LATER, ...options }),
  };
  beforeAll(async () => {
    scene.server = await startServer({ now: () => clock.now() });
  });
  beforeEach(() => {
    clock = aClock(LONG_AGO);
  });
  afterEach(async () => {
    const { server } = scene;
    server.fail = null;
    server.failOn = null;
    server.failOnTurnsOf = null;
    server.sendsTurnsAtOnce = false;
    server.cutStreamAfterLines = null;
    await devices.closeAll();
  });
  afterAll(() => scene.server.close());
  return scene;
}

/** The sessions whose conversations are still to be fetched. */
export const missingOn = ({ dataDir }: OpenHost): SessionId[] =>
  inDatabase(dataDir, (sqlite) => sqlite.prepare<[], SessionId>('SELECT session_id FROM missing_turns').pluck().all());

export const search = ({ ask }: OpenHost, text: string) => ask.history.list({ search: text, offset: 0, limit: 200 });

export const deviceIdOf = (device: OpenHost): DeviceId => DeviceId.parse(identityOf(device).deviceId);

export function given<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('there is none');
  return value;
}

const KEYS = {
  practice_history: 'id',
  ai_conversations: 'conversation_id',
  user_course_interaction: 'interaction_id',
  feedback_details: 'feedback_id',
  word_attempts: 'id',
};

/** The server's database orders the fields of JSON differently. */
const parseJsonColumn = (value: unknown): unknown =>
  typeof value === 'string' && /^[[{]/.test(value) ? (JSON.parse(value) as unknown) : value;

/** Everything of the learner on the device, with the server's versions. */
const rowsOf = ({ dataDir }: OpenHost): unknown =>
  inDatabase(dataDir, (sqlite) =>
    Object.entries(KEYS).map(([table, key]) =>
      sqlite
        .prepare<[], Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY ${key}`)
        .all()
        .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, parseJsonColumn(value)]))),
    ),
  );

/** Waits until the second device has everything that the first one has. */
export async function expectSame(one: OpenHost, two: OpenHost): Promise<void> {
  await expect.poll(() => missingOn(two), { timeout: 15_000 }).toEqual([]);
  await untilNothingWaits(one, two, one);
  expect(rowsOf(two)).toEqual(rowsOf(one));
}
