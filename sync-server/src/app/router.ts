/** The server's side of the contract: who is asking, whether not too often, then the feature that answers. */
import { implement } from '@orpc/server';
import { serverContract } from '@parley/contract';
import type { Accounts, SignedInDevice } from '../account/index.ts';
import type { Coaching, Memory } from '../coach/index.ts';
import type { Database } from '../db/client.ts';
import { failure } from '../failure.ts';
import type { Leases } from '../metering/index.ts';
import { type Announcer, pull, push, type PokeHub } from '../sync/index.ts';
import type { AccountLimits } from './account-limits.ts';

export interface CallContext {
  authorization: string | undefined;
  requestId: string;
  /** Puts the header on the answer. */
  retryAfter: (seconds: number) => void;
}

export interface RouterParts {
  accounts: Accounts;
  limits: AccountLimits;
  db: Database;
  now: () => Date;
  hub: PokeHub;
  announcer: Announcer;
  coaching: Coaching;
  leases: Leases;
  memory: Memory;
}

export type Admit = (context: CallContext, asked?: { changes: number }) => Promise<SignedInDevice>;

/** The device that proves who it is, unless its account has asked too much. */
export const admission =
  ({ accounts, limits }: Pick<RouterParts, 'accounts' | 'limits'>): Admit =>
  async (context, asked = { changes: 0 }) => {
    const device = await accounts.authenticate(context.authorization);
    const waitSeconds = await limits.admit(device.userId, asked);
    if (waitSeconds === null) return device;
    context.retryAfter(waitSeconds);
    throw failure('request.too_many');
  };

export function createRouter(parts: RouterParts & { admit: Admit }) {
  const { accounts, db, now, hub, announcer, admit, coaching, leases, memory } = parts;
  const unending = new AbortController().signal;
  const contract = implement(serverContract).$context<CallContext>();
  const changed = announcer.userMoved;
  return contract.router({
    devices: {
      register: contract.devices.register.handler(({ input }) => accounts.register(input)),
      createLinkCode: contract.devices.createLinkCode.handler(async ({ context }) =>
        accounts.createLinkCode(await admit(context)),
      ),
      join: contract.devices.join.handler(({ input }) => accounts.join(input)),
      list: contract.devices.list.handler(async ({ context }) => accounts.listDevices(await admit(context))),
      revoke: contract.devices.revoke.handler(async ({ input, context }) =>
        accounts.revoke(await admit(context), input.deviceId),
      ),
    },
    sync: {
      push: contract.sync.push.handler(async ({ input, context }) =>
        push({ db, now, changed }, await admit(context, { changes: input.mutations.length }), input),
      ),
      pull: contract.sync.pull.handler(async ({ input, context }) => pull({ db }, await admit(context), input)),
      pokes: contract.sync.pokes.handler(async ({ context, signal }) => {
        const device = await admit(context);
        await accounts.wasSeen(device);
        return hub.listen(device, signal ?? unending);
      }),
    },
    coach: {
      offer: contract.coach.offer.handler(async ({ context }) => {
        await admit(context);
        return coaching.offer();
      }),
      lease: contract.coach.lease.handler(async ({ input, context }) => leases.take(await admit(context), input)),
      release: contract.coach.release.handler(async ({ input, context }) => {
        await leases.release(await admit(context), input);
        return {};
      }),
      reply: contract.coach.reply.handler(async ({ input, context, signal }) =>
        coaching.reply(await admit(context), input, signal ?? unending),
      ),
      hint: contract.coach.hint.handler(async ({ input: { level, ...held }, context, signal = unending }) => ({
        hints: await coaching.hint(await admit(context), held, { level, signal }),
      })),
      review: contract.coach.review.handler(async ({ input, context, signal }) =>
        coaching.review(await admit(context), input, signal ?? unending),
      ),
      translate: contract.coach.translate.handler(async ({ input, context, signal = unending }) => ({
        text: await coaching.translate(await admit(context), { ...input, signal }),
      })),
      forget: contract.coach.forget.handler(async ({ input, context }) => {
        const { userId } = await admit(context);
        await memory.forget(userId, input.line);
        return {};
      }),
    },
  });
}
