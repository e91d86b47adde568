/** Test fixture for metered time: a learner who holds leases on a server whose clock the test moves. */
import { randomUUID } from 'node:crypto';
import { nextLocalDay, type PlanType } from '@parley/domain';
import { beforeEach } from 'vitest';
import type { DatabaseConnection } from '../src/db/client.ts';
import type { RealtimeSessionEnd } from '../src/metering/lease-time.ts';
import { createLeases, type Leases } from '../src/metering/leases.ts';
import { START_MS } from './server.ts';
import { setUpSyncFixture, type SyncFixture } from './sync/sync-fixture.ts';

export const BERLIN = 'Europe/Berlin';
const CONNECTION = randomUUID();
export const BEGINS = { id: CONNECTION, state: 'begins' } as const;
export const LIVES = { id: CONNECTION, state: 'lives' } as const;
const DAY_MS = 24 * 3_600_000;

type LeaseRequest = Parameters<Leases['acquire']>[1];

export interface MeteringFixture {
  home: SyncFixture;
  plan: PlanType;
  leases: Leases;
  sessionId: string;
  take: (device?: SyncFixture['laptop'], request?: Partial<LeaseRequest>) => ReturnType<Leases['acquire']>;
  /** Uses whole minutes, with speech in each. */
  useMinutes: (minutes: number, request?: Partial<LeaseRequest>) => Promise<void>;
  /** Records transcribed speech of this length. */
  transcribe: (seconds?: number, device?: SyncFixture['laptop']) => Promise<void>;
  release: (device?: SyncFixture['laptop']) => Promise<void>;
  heartbeat: () => Promise<void>;
  endRealtimeSession: (end?: Partial<RealtimeSessionEnd>) => Promise<void>;
  readRemainingS: () => Promise<number | null>;
  passToBeforeMidnight: (ms: number) => void;
}

export function setUpMetering(open: () => Promise<DatabaseConnection>): MeteringFixture {
  const home = setUpSyncFixture(open);
  const meter = { home } as MeteringFixture;
  beforeEach(() => {
    const { server } = home;
    // Each test gets a day of its own at the same hour, so that usage does not carry over.
    server.advanceClock(2 * DAY_MS - ((server.now().getTime() - START_MS) % DAY_MS));
    const periodStart = server.now();
    meter.plan = 'FREE';
    meter.sessionId = randomUUID();
    meter.leases = createLeases({
      db: server.database.db,
      now: server.now,
      isMetered: true,
      planOf: async () => ({
        plan: meter.plan,
        periodStart: meter.plan === 'FREE' ? null : periodStart,
        periodEnd: null,
      }),
    });
  });

  const take: MeteringFixture['take'] = (device = home.laptop, request = {}) =>
    meter.leases.acquire(device, {
      sessionId: meter.sessionId,
      style: 'turn_based',
      timeZone: BERLIN,
      takeOver: false,
      ...request,
    });
  const transcribe: MeteringFixture['transcribe'] = async (seconds = 1, device = home.laptop) =>
    (await meter.leases.requireHeld(device, meter.sessionId)).recordSpeech(seconds);

  return Object.assign(meter, {
    take,
    transcribe,
    async useMinutes(minutes: number, request: Partial<LeaseRequest> = {}) {
      for (let minute = 0; minute < minutes; minute += 1) {
        await take(home.laptop, request);
        await transcribe();
        home.server.advanceClock(60_000);
      }
    },
    release: (device = home.laptop) => meter.leases.release(device, meter.sessionId),
    heartbeat: () => meter.leases.heartbeat(home.laptop, { sessionId: meter.sessionId, connectionId: CONNECTION }),
    endRealtimeSession: (end: Partial<RealtimeSessionEnd> = {}) =>
      meter.leases.endRealtimeSession(home.laptop, {
        sessionId: meter.sessionId,
        connectionId: CONNECTION,
        since: home.server.now(),
        servedUntil: home.server.now(),
        spokenS: 40,
        outcome: 'ended',
        ...end,
      }),
    readRemainingS: async () => (await take()).remainingS,
    passToBeforeMidnight(ms: number) {
      const now = home.server.now();
      home.server.advanceClock(nextLocalDay(now, BERLIN).getTime() - now.getTime() - ms);
    },
  });
}
