/** Test fixture for realtime sessions: a server with a fake of the provider, a learner with two devices, and another learner. */
import { randomUUID } from 'node:crypto';
import type { PlanType } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { createAccountRateLimits, type LimitsPerMinute } from '../../src/http/limits/account-limits.ts';
import { createInMemoryLimiter } from '../../src/http/limits/rate-limiter.ts';
import type { RealtimeConnectionLimits } from '../../src/http/realtime/realtime-connection.ts';
import { addRealtimeRoute } from '../../src/http/realtime/realtime-route.ts';
import { createAdmission } from '../../src/http/routes/admission.ts';
import { createDeviceRegistry } from '../../src/account/index.ts';
import { type AiServices, createRealtimeCoaching, type RealtimeService } from '../../src/coach/index.ts';
import { openMemoryDatabase } from '../memory-database.ts';
import { aiLeases, aiUsage } from '../../src/db/metering-tables.ts';
import { DomainError } from '../../src/domain-error.ts';
import { createOpenAiRealtime } from '../../src/integrations/openai/realtime/index.ts';
import { type RealtimeFake, startRealtimeFake, type RecordedSession } from '@parley/fakes/openai-realtime/index.ts';
import { createLeases, createLedger } from '../../src/metering/index.ts';
import { aBeginMessage, openRealtimeClient, type RealtimeClient } from './realtime-client.ts';
import { type CatalogueIds, catalogueIds } from '../sync/rows.ts';
import { joinDevice, registerDevice, startServer, type TestDevice, type TestServer } from '../server.ts';

export interface RealtimeFixture {
  server: TestServer;
  fake: RealtimeFake;
  address: string;
  laptop: TestDevice;
  phone: TestDevice;
  stranger: TestDevice;
  ids: CatalogueIds;
  plan: { now: PlanType };
  /** Whether learners have access. */
  hasAccess: boolean;
  call: (device?: TestDevice) => Promise<RealtimeClient>;
  /** Starts a session and waits until it is ready or closed. */
  begin: (overrides?: Parameters<typeof aBeginMessage>[1], device?: TestDevice) => Promise<RealtimeClient>;
  /** The provider's newest session. */
  latestProviderSession: () => RecordedSession;
  /** Records earlier usage of the learner. */
  recordUsage: (seconds: number) => Promise<void>;
  /** The learner's ledger entries. */
  readLedger: () => Promise<(typeof aiUsage.$inferSelect)[]>;
  readLeases: () => Promise<(typeof aiLeases.$inferSelect)[]>;
  /** Deletes the lease, as a release would. */
  deleteLease: () => Promise<void>;
  /** Replaces the learners and clears the provider's script. */
  moveIn: () => Promise<void>;
  close: () => Promise<void>;
}

export interface RealtimeFixtureOptions {
  judge?: AiServices['coach'];
  /** Null when no realtime service is configured. */
  realtime?: RealtimeService | null;
  dailyLimitUsd?: number;
  /** Whether plans limit the time; true by default. */
  isMetered?: boolean;
  callLimits?: LimitsPerMinute;
  connectionsPerMinute?: number;
  lineLimits?: Partial<RealtimeConnectionLimits>;
  speed?: number;
}

export async function openRealtimeFixture(options: RealtimeFixtureOptions = {}): Promise<RealtimeFixture> {
  const database = await openMemoryDatabase();
  const { db } = database;
  const fake = await startRealtimeFake({ speed: options.speed ?? 20, transcribeMs: 10 });
  const server = await startServer(database, { withCatalogue: true, logLevel: 'info' });
  const { now } = server;
  const plan: { now: PlanType } = { now: 'PLUS' };
  const home = { hasAccess: true } as RealtimeFixture;
  // Early enough that recorded usage falls into the period.
  const periodStart = new Date(now().getTime() - 86_400_000);
  const voice = createOpenAiRealtime({
    apiKey: fake.key,
    baseUrl: fake.url,
    model: 'gpt-realtime-2.1',
    timeouts: { firstByteMs: 1_000, silenceMs: 1_000, maxRetryWaitMs: 300, backoffMs: 5 },
  });
  addRealtimeRoute(server.app, {
    admit: createAdmission({
      accounts: createDeviceRegistry({ db, now, onDeviceSignedOut: () => undefined }),
      access: {
        require: async () => {
          if (!home.hasAccess) throw new DomainError('access.required');
        },
      },
      limits: createAccountRateLimits(server.database, options.callLimits ?? { requests: 1_000, changes: 1_000 }),
      callLimits: { accepted: () => undefined, refused: () => undefined },
    }),
    coaching: createRealtimeCoaching({
      db,
      realtime: options.realtime === undefined ? { where: 'openai', voice } : options.realtime,
      judge: options.judge ?? null,
      ledger: createLedger({
        db,
        now,
        dailyLimitUsd: options.dailyLimitUsd ?? null,
        limitsAnonymous: false,
        planOf: async () => ({ plan: plan.now, periodStart, periodEnd: null }),
      }),
      leases: createLeases({
        db,
        now,
        isMetered: options.isMetered ?? true,
        planOf: async () => ({ plan: plan.now, periodStart, periodEnd: null }),
      }),
      now,
      newId: randomUUID,
      checkEveryMs: 10,
    }),
    connectionLimiter: createInMemoryLimiter({
      name: 'realtime',
      pointsPerMinute: options.connectionsPerMinute ?? 1_000,
    }),
    ...(options.lineLimits === undefined ? {} : { limits: options.lineLimits }),
  });
  const address = await server.listen();
  Object.assign(home, { server, fake, address, plan } satisfies Partial<RealtimeFixture>);
  const moveIn = async (): Promise<void> => {
    fake.script.clear();
    plan.now = 'PLUS';
    home.hasAccess = true;
    home.laptop = await registerDevice(server);
    home.phone = await joinDevice(server, home.laptop);
    home.stranger = await registerDevice(server);
  };
  await moveIn();
  home.ids = await catalogueIds(home.laptop);
  const call = (device = home.laptop): Promise<RealtimeClient> => openRealtimeClient(address, device.token);
  return Object.assign(home, {
    moveIn,
    call,
    begin: async (overrides: Parameters<typeof aBeginMessage>[1] = {}, device?: TestDevice) => {
      const called = await call(device);
      called.sendMessage(aBeginMessage(home.ids, overrides));
      await Promise.race([called.next('ready'), called.closed]);
      return called;
    },
    latestProviderSession: () => {
      const seen = fake.sessions.at(-1);
      if (seen === undefined) throw new Error('the provider has no session');
      return seen;
    },
    recordUsage: async (seconds: number) => {
      await db.insert(aiUsage).values({
        id: randomUUID(),
        userId: home.laptop.userId,
        use: 'live',
        style: 'ultra_realistic',
        seconds,
        localDay: '2026-11-18',
        at: now(),
      });
    },
    readLedger: () => db.select().from(aiUsage).where(eq(aiUsage.userId, home.laptop.userId)),
    readLeases: () => db.select().from(aiLeases).where(eq(aiLeases.userId, home.laptop.userId)),
    deleteLease: async () => {
      await db.delete(aiLeases).where(eq(aiLeases.userId, home.laptop.userId));
    },
    close: async () => {
      await server.close();
      await fake.close();
    },
  });
}

/** Polls for a condition that no event announces. */
export async function waitUntil(holds: () => boolean | Promise<boolean>, withinMs = 10_000): Promise<void> {
  const until = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > until) throw new Error(`the condition was not met within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
