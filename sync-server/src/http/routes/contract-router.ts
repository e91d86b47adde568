/** Implements the contract: each procedure admits the caller and calls the feature. */
import { implement, type Router } from '@orpc/server';
import { OLDEST_SYNC_PROTOCOL, serverContract, SYNC_PROTOCOL } from '@parley/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { SignedInDevice, WipeOrders } from '../../account/index.ts';
import type { Billing } from '../../billing/index.ts';
import type { Memory } from '../../coach/index.ts';
import type { Database } from '../../db/client.ts';
import type { Leases } from '../../metering/index.ts';
import {
  createPushGroups,
  type PokeBroadcaster,
  push,
  type PushParts,
  type PokeHub,
  parsePush,
  schemaVersion,
} from '../../sync/index.ts';
import { DomainError } from '../../domain-error.ts';
import { clientSite } from '../addresses/client-network.ts';
import type { AccountRateLimits } from '../limits/account-limits.ts';
import type { CoachingSelector } from './coaching-selector.ts';
import { type AccountRouteParts, createAccountRoutes } from './account-routes.ts';
import { type AdminRouteParts, createAdminRoutes } from './admin-routes.ts';
import type { Admit, RequestContext } from './admission.ts';
import { type ContentRouteParts, createContentRoutes } from './content-routes.ts';
import { createMediaRoutes, type MediaRouteParts } from './media-routes.ts';
import { createRecordingRoutes, type RecordingRouteParts } from './recording-routes.ts';
import { createServerIdReader } from './server-id.ts';
import { createWebSessionRoutes, type WebSessionRouteParts } from './web-session-routes.ts';

/** A device that does not listen pulls every few minutes on its own. */
const LISTEN_AGAIN_AFTER_S = 60;

export interface RouterParts
  extends
    Omit<AccountRouteParts, 'admit' | 'school'>,
    Omit<AdminRouteParts, 'admit'>,
    Omit<ContentRouteParts, 'admit'>,
    Omit<MediaRouteParts, 'admit'>,
    Omit<RecordingRouteParts, 'admit'>,
    Omit<WebSessionRouteParts, 'access' | 'school' | 'signIn'>,
    Pick<PushParts, 'marker' | 'plansOnce' | 'quotas' | 'onEpochChanged'> {
  /** The program's version, or null when it is unknown. */
  version: string | null;
  limits: AccountRateLimits;
  wipeOrders: WipeOrders;
  log: FastifyBaseLogger;
  db: Database;
  now: () => Date;
  hub: PokeHub;
  announcer: PokeBroadcaster;
  billing: Billing;
  coachings: CoachingSelector;
  leases: Leases;
  memory: Memory;
}

export function createRouter(parts: RouterParts & { admit: Admit }): Router<typeof serverContract, RequestContext> {
  const { accounts, db, now, hub, announcer, admit, billing, coachings, crashes, leases, memory, log } = parts;
  const { confirmation, marker, plansOnce, practiceReports, quotas, version, onEpochChanged, wipeOrders } = parts;
  const neverAborted = new AbortController().signal;
  const contract = implement(serverContract).$context<RequestContext>();
  const schema = schemaVersion(version);
  const changed = announcer.pokeLearner;
  const serverId = createServerIdReader(db);
  const groups = createPushGroups({ db, onGroupFailed: (error) => log.warn({ err: error }, 'push_group_failed') });
  const acceptPush = (device: SignedInDevice, request: ReturnType<typeof parsePush>, requestId: string) =>
    push(
      {
        db,
        groups,
        now,
        wantsRows: hub.wantsRows,
        onChanged: changed,
        marker,
        plansOnce,
        schema,
        quotas,
        onEpochChanged,
        onBug: ({ table, id }, error) =>
          log.error({ err: error, requestId, table, changeId: id }, 'change_not_applied'),
      },
      device,
      request,
    );
  const admitToCoach = (context: RequestContext): Promise<SignedInDevice> => admit(context, { ofCoach: true });
  return contract.router({
    ...createAccountRoutes(parts),
    web: createWebSessionRoutes(parts),
    admin: createAdminRoutes(parts),
    content: createContentRoutes(parts),
    media: createMediaRoutes(parts),
    crashes: {
      report: contract.crashes.report.handler(async ({ input, context }) => {
        await crashes.receive((await admit(context)).userId, input);
        return {};
      }),
    },
    practiceReports: {
      send: contract.practiceReports.send.handler(async ({ input, context }) => {
        const { userId } = await admit(context);
        await practiceReports.receive({ userId, network: clientSite(context.address) }, input);
        return {};
      }),
    },
    recordings: createRecordingRoutes(parts),
    server: {
      about: contract.server.about.handler(async () => ({
        product: 'parley' as const,
        id: await serverId(),
        version,
        protocols: { oldest: OLDEST_SYNC_PROTOCOL, newest: SYNC_PROTOCOL },
      })),
    },
    billing: {
      plans: contract.billing.plans.handler(async ({ context }) => {
        await admit(context);
        return billing.plans();
      }),
      invoices: contract.billing.invoices.handler(async ({ context }) =>
        billing.invoices((await admit(context)).userId),
      ),
      startTrial: contract.billing.startTrial.handler(async ({ context }) => {
        await billing.startTrial((await admit(context, { ofCoach: true })).userId);
        return {};
      }),
      checkout: contract.billing.checkout.handler(async ({ input, context }) =>
        billing.checkout((await admit(context, { ofCoach: true })).userId, input.priceId),
      ),
      portal: contract.billing.portal.handler(async ({ context }) => billing.portal((await admit(context)).userId)),
    },
    devices: {
      register: contract.devices.register.handler(({ input }) => accounts.register(input)),
      createLinkCode: contract.devices.createLinkCode.handler(async ({ context }) =>
        accounts.createLinkCode(await admit(context)),
      ),
      join: contract.devices.join.handler(async ({ input, context }) =>
        accounts.join(input, await accounts.tryAuthenticate(context.authorization)),
      ),
      list: contract.devices.list.handler(async ({ context }) => accounts.listDevices(await admit(context))),
      revoke: contract.devices.revoke.handler(async ({ input, context }) =>
        accounts.revoke(await admit(context), input.deviceId),
      ),
      allowWipe: contract.devices.allowWipe.handler(async ({ input, context }) => {
        await wipeOrders.allow(await admit(context), input.key);
        return {};
      }),
      wipes: contract.devices.wipes.handler(async ({ context }) => wipeOrders.list(await admit(context))),
      wipe: contract.devices.wipe.handler(async ({ input, context }) => {
        const device = await admit(context);
        await confirmation.require(device);
        return wipeOrders.request(device, input.deviceId);
      }),
      reportWiped: contract.devices.reportWiped.handler(async ({ input }) => {
        await wipeOrders.reportDone(input);
        return {};
      }),
    },
    sync: {
      push: contract.sync.push.handler(async ({ input, context }) =>
        acceptPush(await admit(context, { changes: countMutations(input) }), parsePush(input), context.requestId),
      ),
      pokes: contract.sync.pokes.handler(async ({ context, signal }) => {
        const device = await admit(context);
        const network = clientSite(context.address);
        if (!hub.hasPlaceFor({ userId: device.userId, network })) {
          context.retryAfter(LISTEN_AGAIN_AFTER_S);
          throw new DomainError('request.too_many');
        }
        const isSignedIn = async (): Promise<boolean> =>
          (await accounts.tryAuthenticate(context.authorization))?.userId === device.userId;
        return hub.listen({ ...device, network, wantsRows: context.wantsPokeRows, isSignedIn }, signal ?? neverAborted);
      }),
    },
    coach: {
      offer: contract.coach.offer.handler(async ({ context }) => {
        await admit(context);
        return coachings.offerFor(context.localChoice);
      }),
      local: contract.coach.local.handler(async ({ context }) => {
        await admit(context);
        return coachings.listModels(context.canUseLocalModels);
      }),
      lease: contract.coach.lease.handler(async ({ input, context }) =>
        leases.acquire(await admitToCoach(context), input),
      ),
      release: contract.coach.release.handler(async ({ input, context }) => {
        await leases.release(await admit(context), input.sessionId);
        return {};
      }),
      reply: contract.coach.reply.handler(async ({ input, context, signal }) =>
        coachings.coachingFor(context.localChoice).reply(await admitToCoach(context), input, signal ?? neverAborted),
      ),
      warmUp: contract.coach.warmUp.handler(async ({ context }) => {
        await admitToCoach(context);
        coachings.coachingFor(context.localChoice).warmUp();
        return {};
      }),
      hint: contract.coach.hint.handler(async ({ input: { level, ...held }, context, signal = neverAborted }) => ({
        hints: await coachings
          .coachingFor(context.localChoice)
          .hint(await admitToCoach(context), held, { level, signal }),
      })),
      review: contract.coach.review.handler(async ({ input, context, signal }) =>
        coachings.coachingFor(context.localChoice).review(await admitToCoach(context), input, signal ?? neverAborted),
      ),
      translate: contract.coach.translate.handler(async ({ input, context, signal = neverAborted }) => ({
        text: await coachings
          .coachingFor(context.localChoice)
          .translate(await admitToCoach(context), { ...input, signal }),
      })),
      forget: contract.coach.forget.handler(async ({ input, context }) => {
        const { userId } = await admit(context);
        await memory.forget(userId, input.line);
        return {};
      }),
    },
  });
}

/** Counts the changes in a push that has not been parsed yet. */
const countMutations = (input: object): number =>
  'mutations' in input && Array.isArray(input.mutations) ? input.mutations.length : 0;
