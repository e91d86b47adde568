/** Who a learner is to the server: an address that they have proved, whether they may come in, and how they leave again. */
import {
  DeviceId,
  PLAN_TYPES,
  planAtLeaving,
  type PlanAtLeaving,
  PRICING_INTERVALS,
  type RunningPlan,
  SUBSCRIPTION_STATUSES,
} from '@parley/domain';
import { z } from 'zod';
import { serverBase } from './base.ts';
import { Device, DeviceCredentials } from './devices.ts';

/** As it is stored: trimmed, in lower case. */
export const Email = z.string().trim().toLowerCase().max(320).pipe(z.email());
/** Six digits, typed from the message. */
export const SignInCode = z.string().regex(/^\d{6}$/);
export const SIGN_IN_CODE_LIFE_MS: number = 15 * 60_000;
/** Wrong codes after which no code of the request works, nor of the messages that it asks for while one of these is alive. */
export const SIGN_IN_CODE_TRIES = 5;
/** Names a request for messages, to the app alone that made it: the code of a message is worth nothing without. */
export const SignInRequestId = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
/** The secret of a link, as it stands in its address. */
export const SignInLink = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

const Signing = Device.extend({
  /** IANA name: nobody gets mail at night. */
  timeZone: z.string().max(80),
});

export const SignedIn = z.strictObject({
  credentials: DeviceCredentials,
  /** The device's own anonymous account has got the address; else it joins the account that has it, and brings what it holds. */
  isSameAccount: z.boolean(),
});
export type SignedIn = z.infer<typeof SignedIn>;

/** What a plan allows, and how much of it is left. Seconds; null where nothing is counted. */
const Minutes = z.strictObject({ allowedS: z.number().int().min(0), leftS: z.number().int().min(0) });

export const AccountView = z.strictObject({
  /** Null: an account of devices alone. */
  email: z.string().nullable(),
  /** Whether this server lets in only whom somebody has granted access. */
  mustBeGranted: z.boolean(),
  /** Whether it lets them talk with its coach and scorer. */
  hasAccess: z.boolean(),
  /** Since when they wait to be let in; null when they have access, or have not asked. */
  waitingSince: z.iso.datetime().nullable(),
  /** They had access, and somebody took it away; null when they have it, or have asked for it since. */
  accessTaken: z.strictObject({ at: z.iso.datetime(), reason: z.string().nullable() }).nullable(),
  isAdmin: z.boolean(),
  plan: z.enum(PLAN_TYPES),
  /** Of live conversation, and of that as a call; null where this server counts nothing. */
  live: Minutes.nullable(),
  calls: Minutes.nullable(),
  /** When the allowance begins anew; null where it does not. */
  resetsAt: z.iso.datetime().nullable(),
  subscription: z
    .strictObject({
      status: z.enum(SUBSCRIPTION_STATUSES).nullable(),
      /** The offer that is paid for; null where it is none of ours. */
      priceId: z.uuid().nullable(),
      currentPeriodEnd: z.iso.datetime().nullable(),
      /** When it is to end; null: it is renewed. A day after the period's end: it is renewed, and ends then. */
      endsAt: z.iso.datetime().nullable(),
      /** That end came with the wish to be erased, or with access that was taken away: it goes on when that is undone. */
      endsWithAccount: z.boolean(),
      /** The period that has begun is still to be charged. */
      isPeriodUnpaid: z.boolean(),
      /** What takes its place, and when: a cheaper plan waits for the period's end. */
      next: z
        .strictObject({
          plan: z.enum(PLAN_TYPES),
          interval: z.enum(PRICING_INTERVALS).nullable(),
          at: z.iso.datetime(),
        })
        .nullable(),
      /** A payment is late: until when the plan holds all the same. */
      graceUntil: z.iso.datetime().nullable(),
    })
    .nullable(),
  mayTry: z.boolean(),
  /** Set when the learner has asked to be erased. */
  eraseAt: z.iso.datetime().nullable(),
});
export type AccountView = z.infer<typeof AccountView>;

/** What of a view decides when a plan ends. */
export function runningPlanOf({ subscription }: AccountView): RunningPlan | null {
  if (subscription === null) return null;
  const { status, currentPeriodEnd, endsAt, endsWithAccount, isPeriodUnpaid } = subscription;
  return {
    status,
    currentPeriodEnd: dateOf(currentPeriodEnd),
    endsAt: dateOf(endsAt),
    endsWithAccount,
    isPeriodUnpaid,
  };
}

export const planAtLeavingOf = (account: AccountView, eraseAt: Date): PlanAtLeaving | null =>
  planAtLeaving(runningPlanOf(account), { eraseAt, hasAccess: account.hasAccess });

const dateOf = (iso: string | null): Date | null => (iso === null ? null : new Date(iso));

export const accountServerContract = {
  /** The same answer for every address, in the same time: nobody learns who has an account here. */
  requestSignIn: serverBase
    .route({ method: 'POST', path: '/v1/account/request-sign-in', summary: 'A message with a code and a link' })
    .input(
      z.strictObject({
        email: Email,
        /** To ask again: the messages share their tries. */ requestId: SignInRequestId.optional(),
      }),
    )
    .output(z.strictObject({ requestId: SignInRequestId })),
  /**
   * With the bearer token of an anonymous account its device claims the address, or moves to the account that has it. The id is a new one,
   * for the account that it may come into: a device that stays where it is keeps its own, and the answer names it, with a new token.
   */
  signIn: serverBase
    .route({ method: 'POST', path: '/v1/account/sign-in', summary: 'Sign a device in, with the code' })
    .input(
      Signing.extend({
        email: Email,
        code: SignInCode,
        /** Older apps leave it out, and are known by the token of the device that asked for the message. */
        requestId: SignInRequestId.optional(),
      }),
    )
    .output(SignedIn),
  signInByLink: serverBase
    .route({ method: 'POST', path: '/v1/account/sign-in-by-link', summary: 'Sign a device in, with the link' })
    .input(Signing.extend({ link: SignInLink }))
    .output(SignedIn),
  /** To ask who somebody signs in as, before they do: a link may be another's. Spends nothing; whoever has the link could sign in with it. */
  whoseLink: serverBase
    .route({ method: 'POST', path: '/v1/account/whose-link', summary: 'The address that a link signs in' })
    .input(z.strictObject({ link: SignInLink }))
    .output(z.strictObject({ email: z.string() })),
  view: serverBase
    .route({ method: 'GET', path: '/v1/account', summary: 'Who this is, and what they may' })
    .input(z.strictObject({ timeZone: z.string().max(80).optional() }).optional())
    .output(AccountView),
  /** What cannot be undone, or gives others power, fails with `auth.confirmation_required` unless a code was typed in the last ten minutes. */
  requestConfirmation: serverBase
    .route({
      method: 'POST',
      path: '/v1/account/request-confirmation',
      summary: 'A message with a code to the own address',
    })
    .input(z.strictObject({}))
    .output(z.strictObject({})),
  confirm: serverBase
    .route({
      method: 'POST',
      path: '/v1/account/confirm',
      summary: 'Confirm with that code that it is the owner who asks',
    })
    .input(z.strictObject({ code: SignInCode }))
    .output(z.strictObject({})),
  requestAccess: serverBase
    .route({ method: 'POST', path: '/v1/account/request-access', summary: 'Wait to be let in' })
    .input(z.strictObject({}))
    .output(AccountView),
  signOut: serverBase
    .route({ method: 'POST', path: '/v1/account/sign-out', summary: 'Sign this device out' })
    .input(z.strictObject({}))
    .output(z.strictObject({ deviceId: DeviceId })),
  requestDeletion: serverBase
    .route({ method: 'POST', path: '/v1/account/request-deletion', summary: 'Erase this account in thirty days' })
    .input(z.strictObject({}))
    .output(AccountView),
  withdrawDeletion: serverBase
    .route({ method: 'POST', path: '/v1/account/withdraw-deletion', summary: 'Keep this account' })
    .input(z.strictObject({}))
    .output(AccountView),
};
