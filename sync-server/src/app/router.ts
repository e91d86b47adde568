/** The server's side of the contract: who is asking, whether not too often, then the feature that answers. */
import { implement, type Router } from '@orpc/server';
import { type LocalChoice, OLDEST_SYNC_PROTOCOL, serverContract, SYNC_PROTOCOL } from '@parley/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { Access, SignedInDevice, WebSession } from '../account/index.ts';
import type { Billing } from '../billing/index.ts';
import type { Memory } from '../coach/index.ts';
import type { Database } from '../db/client.ts';
import { failure } from '../failure.ts';
import type { Leases } from '../metering/index.ts';
import { type Announcer, push, type PushParts, type PokeHub, readPush } from '../sync/index.ts';
import type { AccountLimits } from './account-limits.ts';
import type { CallLimits } from './call-limits.ts';
import type { LocalCoaching } from './local-models.ts';
import { type AccountRouteParts, createAccountRoutes } from './account-routes.ts';

export interface CallContext {
  authorization: string | undefined;
  /** The device that has just proved to be the one that asks; null when that is to be looked up. */
  provenDevice: SignedInDevice | null;
  requestId: string;
  /** The caller's IP address. */
  address: string;
  /** Of a browser, for calls that it may make. Throws `auth.required`, and `auth.forbidden` for another site's page. */
  webSession: () => Promise<WebSession>;
  /** Which models of this machine a learner on it has agreed to. */
  local: LocalChoice;
  /** Whether such models may be offered to whoever asks. */
  mayHaveLocal: boolean;
  /** Puts the header on the answer. */
  retryAfter: (seconds: number) => void;
}

export interface RouterParts
  extends Omit<AccountRouteParts, 'admit'>, Pick<PushParts, 'marker' | 'quotas' | 'version' | 'onEpochChanged'> {
  limits: AccountLimits;
  log: FastifyBaseLogger;
  db: Database;
  now: () => Date;
  hub: PokeHub;
  announcer: Announcer;
  billing: Billing;
  coachings: LocalCoaching;
  leases: Leases;
  memory: Memory;
}

/** `ofCoach`: of what costs, which only those may ask for who have access. */
export type Admit = (
  context: Pick<CallContext, 'authorization' | 'provenDevice' | 'retryAfter'>,
  asked?: { changes?: number; ofCoach?: boolean },
) => Promise<SignedInDevice>;

/** The device that proves who it is, unless it may not have what it asks for, or its account has asked too much. */
export const admission =
  ({
    accounts,
    limits,
    access,
    callLimits,
  }: Pick<RouterParts, 'accounts' | 'limits'> & {
    access: Pick<Access, 'require'>;
    callLimits: Pick<CallLimits, 'accepted' | 'refused'>;
  }): Admit =>
  async (context, { changes = 0, ofCoach = false } = {}) => {
    const device =
      context.provenDevice ??
      (await accounts.authenticate(context.authorization).catch((error: unknown) => {
        callLimits.refused(context.authorization);
        throw error;
      }));
    callLimits.accepted(context.authorization);
    // First of the two: who asks too often must not be taken for somebody who still has access.
    if (ofCoach) await access.require(device.userId);
    const waitSeconds = await limits.admit(device.userId, { changes });
    if (waitSeconds === null) return device;
    context.retryAfter(waitSeconds);
    throw failure('request.too_many');
  };

export function createRouter(parts: RouterParts & { admit: Admit }): Router<typeof serverContract, CallContext> {
  const { accounts, db, now, hub, announcer, admit, billing, coachings, leases, memory, log } = parts;
  const { marker, quotas, version, onEpochChanged } = parts;
  const unending = new AbortController().signal;
  const contract = implement(serverContract).$context<CallContext>();
  const changed = announcer.userMoved;
  const takePush = (device: SignedInDevice, request: ReturnType<typeof readPush>, requestId: string) =>
    push(
      {
        db,
        now,
        changed,
        marker,
        version,
        quotas,
        onEpochChanged,
        onFault: ({ table, id }, error) =>
          log.error({ err: error, requestId, table, changeId: id }, 'change_not_applied'),
      },
      device,
      request,
    );
  const admitToCoach = (context: CallContext): Promise<SignedInDevice> => admit(context, { ofCoach: true });
  return contract.router({
    ...createAccountRoutes(parts),
    server: {
      about: contract.server.about.handler(() => ({
        product: 'parley' as const,
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
        accounts.join(input, await accounts.recognise(context.authorization)),
      ),
      list: contract.devices.list.handler(async ({ context }) => accounts.listDevices(await admit(context))),
      revoke: contract.devices.revoke.handler(async ({ input, context }) =>
        accounts.revoke(await admit(context), input.deviceId),
      ),
    },
    sync: {
      push: contract.sync.push.handler(async ({ input, context }) =>
        takePush(await admit(context, { changes: countChanges(input) }), readPush(input), context.requestId),
      ),
      pokes: contract.sync.pokes.handler(async ({ context, signal }) =>
        hub.listen(await admit(context), signal ?? unending),
      ),
    },
    coach: {
      offer: contract.coach.offer.handler(async ({ context }) => {
        await admit(context);
        return coachings.offerFor(context.local);
      }),
      local: contract.coach.local.handler(async ({ context }) => {
        await admit(context);
        return coachings.list(context.mayHaveLocal);
      }),
      lease: contract.coach.lease.handler(async ({ input, context }) =>
        leases.take(await admitToCoach(context), input),
      ),
      release: contract.coach.release.handler(async ({ input, context }) => {
        await leases.release(await admit(context), input.sessionId);
        return {};
      }),
      reply: contract.coach.reply.handler(async ({ input, context, signal }) =>
        coachings.coachingFor(context.local).reply(await admitToCoach(context), input, signal ?? unending),
      ),
      warmUp: contract.coach.warmUp.handler(async ({ context }) => {
        await admitToCoach(context);
        coachings.coachingFor(context.local).warmUp();
        return {};
      }),
      hint: contract.coach.hint.handler(async ({ input: { level, ...held }, context, signal = unending }) => ({
        hints: await coachings.coachingFor(context.local).hint(await admitToCoach(context), held, { level, signal }),
      })),
      review: contract.coach.review.handler(async ({ input, context, signal }) =>
        coachings.coachingFor(context.local).review(await admitToCoach(context), input, signal ?? unending),
      ),
      translate: contract.coach.translate.handler(async ({ input, context, signal = unending }) => ({
        text: await coachings.coachingFor(context.local).translate(await admitToCoach(context), { ...input, signal }),
      })),
      forget: contract.coach.forget.handler(async ({ input, context }) => {
        const { userId } = await admit(context);
        await memory.forget(userId, input.line);
        return {};
      }),
    },
  });
}

/** Of a push that has not been parsed yet. */
const countChanges = (input: object): number =>
  'mutations' in input && Array.isArray(input.mutations) ? input.mutations.length : 0;
