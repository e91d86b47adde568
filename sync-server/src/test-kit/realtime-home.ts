/** A server on which ultra-realistic conversations can be held with a twin of the provider: a learner with two devices, and a stranger. */
import { randomUUID } from 'node:crypto';
import type { PlanType } from '@parley/domain';
import { eq } from 'drizzle-orm';
import { createAccountLimits, type LimitsAMinute } from '../app/account-limits.ts';
import type { LineLimits } from '../app/realtime-line.ts';
import { addRealtimeRoute } from '../app/realtime-route.ts';
import { admission } from '../app/router.ts';
import { createAccounts } from '../account/index.ts';
import { type AiServices, createLiveCoaching, type RealtimeService } from '../coach/index.ts';
import { openDatabase } from '../db/client.ts';
import { aiLeases, aiUsage } from '../db/tables.ts';
import { failure } from '../failure.ts';
import { createOpenAiRealtime } from '../integrations/openai/realtime/index.ts';
import { type RealtimeTwin, startRealtimeTwin, type TwinSession } from '../integrations/openai/realtime/twin/index.ts';
import { createLeases, createLedger } from '../metering/index.ts';
import { aBegin, callRealtime, type RealtimeCall } from './realtime-call.ts';
import { type CatalogueIds, catalogueIds } from './rows.ts';
import { joinDevice, registerDevice, startServer, type TestDevice, type TestServer } from './server.ts';

export interface RealtimeHome {
  server: TestServer;
  twin: RealtimeTwin;
  address: string;
  laptop: TestDevice;
  phone: TestDevice;
  stranger: TestDevice;
  ids: CatalogueIds;
  plan: { now: PlanType };
  /** Whether learners are let in at all. */
  hasAccess: boolean;
  call: (device?: TestDevice) => Promise<RealtimeCall>;
  /** A call that is ready, or has failed. */
  begin: (wish?: Parameters<typeof aBegin>[1], device?: TestDevice) => Promise<RealtimeCall>;
  /** The connection that the provider saw last. */
  provider: () => TwinSession;
  /** As if the learner had conversed before. */
  use: (seconds: number) => Promise<void>;
  /** What the ledger holds of the learner. */
  ledger: () => Promise<(typeof aiUsage.$inferSelect)[]>;
  leases: () => Promise<(typeof aiLeases.$inferSelect)[]>;
  /** As if it had been given back. */
  forgetLease: () => Promise<void>;
  /** Another learner, whom nothing has happened to; what the twin was to say is forgotten. */
  moveIn: () => Promise<void>;
  close: () => Promise<void>;
}

export interface HomeOptions {
  judge?: AiServices['coach'];
  /** Null: none is configured. */
  realtime?: RealtimeService | null;
  dailyLimitUsd?: number;
  callLimits?: LimitsAMinute;
  lineLimits?: Partial<LineLimits>;
  speed?: number;
}

export async function openRealtimeHome(options: HomeOptions = {}): Promise<RealtimeHome> {
  const database = await openDatabase({ type: 'memory' });
  const { db } = database;
  const twin = await startRealtimeTwin({ speed: options.speed ?? 20, transcribeMs: 10 });
  const server = await startServer(database, { withCatalogue: true, logLevel: 'info' });
  const { now } = server;
  const plan: { now: PlanType } = { now: 'PLUS' };
  const home = { hasAccess: true } as RealtimeHome;
  // Long enough ago that what was used before lies in it.
  const periodStart = new Date(now().getTime() - 86_400_000);
  const voice = createOpenAiRealtime({
    apiKey: twin.key,
    baseUrl: twin.url,
    model: 'gpt-realtime-2.1',
    timeouts: { firstByteMs: 1_000, silenceMs: 1_000, retryWaitMs: 300, backoffMs: 5 },
  });
  addRealtimeRoute(server.app, {
    admit: admission({
      accounts: createAccounts({ db, now, signedOut: () => undefined }),
      access: {
        require: async () => {
          if (!home.hasAccess) throw failure('access.required');
        },
      },
      limits: createAccountLimits(server.database, options.callLimits ?? { calls: 1_000, changes: 1_000 }),
      callLimits: { accepted: () => undefined, refused: () => undefined },
    }),
    live: createLiveCoaching({
      db,
      realtime: options.realtime === undefined ? { where: 'openai', voice } : options.realtime,
      judge: options.judge ?? null,
      ledger: createLedger({
        db,
        now,
        dailyLimitUsd: options.dailyLimitUsd ?? null,
        limitsAnonymous: false,
        planOf: async () => ({ plan: plan.now, periodStart }),
      }),
      leases: createLeases({ db, now, counts: true, planOf: async () => ({ plan: plan.now, periodStart }) }),
      now,
      newId: randomUUID,
      checkEveryMs: 10,
    }),
    ...(options.lineLimits === undefined ? {} : { limits: options.lineLimits }),
  });
  const address = await server.listen();
  Object.assign(home, { server, twin, address, plan });
  const moveIn = async (): Promise<void> => {
    twin.script.clear();
    plan.now = 'PLUS';
    home.hasAccess = true;
    home.laptop = await registerDevice(server);
    home.phone = await joinDevice(server, home.laptop);
    home.stranger = await registerDevice(server);
  };
  await moveIn();
  home.ids = await catalogueIds(home.laptop);
  const call = (device = home.laptop): Promise<RealtimeCall> => callRealtime(address, device.token);
  return Object.assign(home, {
    moveIn,
    call,
    begin: async (wish: Parameters<typeof aBegin>[1] = {}, device?: TestDevice) => {
      const called = await call(device);
      called.tell(aBegin(home.ids, wish));
      await Promise.race([called.next('ready'), called.closed]);
      return called;
    },
    provider: () => {
      const seen = twin.sessions.at(-1);
      if (seen === undefined) throw new Error('the provider saw nobody');
      return seen;
    },
    use: async (seconds: number) => {
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
    ledger: () => db.select().from(aiUsage).where(eq(aiUsage.userId, home.laptop.userId)),
    leases: () => db.select().from(aiLeases).where(eq(aiLeases.userId, home.laptop.userId)),
    forgetLease: async () => {
      await db.delete(aiLeases).where(eq(aiLeases.userId, home.laptop.userId));
    },
    close: async () => {
      await server.close();
      await twin.close();
    },
  });
}

/** Until something holds that nobody tells of. */
export async function eventually(holds: () => boolean | Promise<boolean>, withinMs = 2_000): Promise<void> {
  const until = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > until) throw new Error(`it does not hold within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
