/** Sign-in, access and account deletion on the server. */
import { DeviceId, LearnerId, PLAN_TYPES, PRICING_INTERVALS, SUBSCRIPTION_STATUSES } from '@parley/domain';
import { z } from 'zod';
import { publicBase, serverBase } from './base.ts';
import { Device, DeviceCredentials } from './devices.ts';
import { SIGN_IN_LINK } from './sign-in-link.ts';

/** Normalised as it is stored: trimmed and in lower case. */
export const Email = z.string().trim().toLowerCase().max(320).pipe(z.email());
/** The six digits from the e-mail. */
export const SignInCode = z.string().regex(/^\d{6}$/);
export const SIGN_IN_CODE_TTL_MS: number = 15 * 60_000;
/**
 * The number of wrong codes after which every code of the request is void, including codes from e-mails that the request sends again while
 * one of them is valid.
 */
export const MAX_SIGN_IN_CODE_ATTEMPTS = 5;
/** Identifies a request for sign-in e-mails. Only the app that made the request knows it, and a code is useless without it. */
export const SignInRequestId = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
/** The secret in a sign-in link's URL. */
export const SignInLink = z.string().regex(SIGN_IN_LINK);

const SignInDevice = Device.extend({
  /** IANA name, so that no e-mails are sent at night. */
  timeZone: z.string().max(80),
});

export const SignInResult = z.strictObject({
  credentials: DeviceCredentials,
  /**
   * True when the device's anonymous account received the e-mail address. Otherwise the device joined the account with that address and
   * brought its data along.
   */
  isSameAccount: z.boolean(),
});
export type SignInResult = z.infer<typeof SignInResult>;

/**
 * In a response that is read by an app, `other` stands for a value that only newer servers know. A server never sends it.
 */
const AccountPlan = z.enum([...PLAN_TYPES, 'other']);
export type AccountPlan = z.infer<typeof AccountPlan>;

/** A plan's allowance and what is left of it, in seconds; null when usage is not metered. */
const MinutesAllowance = z.strictObject({ allowedS: z.number().int().min(0), leftS: z.number().int().min(0) });

export const AccountView = z.strictObject({
  /** Null for an anonymous account. */
  email: z.string().nullable(),
  /** Whether an admin of this server must grant access. */
  mustBeGranted: z.boolean(),
  /** Whether the account may use the server's coach and scorer. */
  hasAccess: z.boolean(),
  /** When they requested access; null when they have it or have not requested it. */
  waitingSince: z.iso.datetime().nullable(),
  /** Set when access was revoked; null when they have it or have requested it again since. */
  accessTaken: z.strictObject({ at: z.iso.datetime(), reason: z.string().nullable() }).nullable(),
  isAdmin: z.boolean(),
  plan: AccountPlan,
  /** `live` covers all live conversation and `calls` its realtime part; null when this server does not meter usage. */
  live: MinutesAllowance.nullable(),
  calls: MinutesAllowance.nullable(),
  /** When the allowance resets; null when it does not. */
  resetsAt: z.iso.datetime().nullable(),
  subscription: z
    .strictObject({
      status: z.enum([...SUBSCRIPTION_STATUSES, 'other']).nullable(),
      /** The price that is paid for, or would be if a late payment were paid; null when it is not one of ours. */
      priceId: z.uuid().nullable(),
      currentPeriodEnd: z.iso.datetime().nullable(),
      /**
       * The end date; null when the subscription renews. A date after the current period's end means that it renews once more and then
       * ends.
       */
      endsAt: z.iso.datetime().nullable(),
      /** True when the end was set by an account deletion or by revoked access, and is undone with it. */
      endsWithAccount: z.boolean(),
      /** True when the current period has not been charged yet. */
      isPeriodUnpaid: z.boolean(),
      /** The pending plan change: a downgrade takes effect at the end of the period. */
      next: z
        .strictObject({
          plan: AccountPlan,
          /** Null for a price that is billed every few months or years. */
          interval: z.enum([...PRICING_INTERVALS, 'other']).nullable(),
          at: z.iso.datetime(),
        })
        .nullable(),
      /** A payment is late; the plan stays in effect until this time. Null when the plan has stopped. */
      graceUntil: z.iso.datetime().nullable(),
    })
    .nullable(),
  mayTry: z.boolean(),
  /** Set when the learner has requested the deletion of the account. */
  eraseAt: z.iso.datetime().nullable(),
});
export type AccountView = z.infer<typeof AccountView>;

/** A course that a class of the learner is to finish. */
export const Assignment = z.strictObject({
  courseId: z.uuid(),
  title: z.string(),
  className: z.string(),
  /** Null if there is no due date. */
  dueAt: z.iso.datetime().nullable(),
  /** Practices and videos of the course that the learner can open. */
  practices: z.number().int(),
  /** How many of them are done. */
  done: z.number().int(),
});
export type Assignment = z.infer<typeof Assignment>;

/** More accounts than a shared computer can have with parked work. */
const MAX_ACCOUNTS_AT_ONCE = 100;
/** The maximum number of rows in one request. */
export const MAX_KNOWN_ROWS_AT_ONCE = 2_000;

export const accountServerContract = {
  /** The reply and its timing are the same for every address, so it does not reveal who has an account. */
  requestSignIn: publicBase
    .route({ method: 'POST', path: '/v1/account/request-sign-in', summary: 'A message with a code and a link' })
    .input(
      z.strictObject({
        email: Email,
        /** Included to send the e-mail again: all e-mails of one request share their attempts. */ requestId:
          SignInRequestId.optional(),
      }),
    )
    .output(
      z.strictObject({
        requestId: SignInRequestId,
        /**
         * Whether the caller's network has requested so many e-mails that an address without an account gets none for now. Older servers
         * omit it.
         */
        isNetworkLimited: z.boolean().optional(),
        /** Whether the e-mail is only written to a folder of the server. Older servers omit it. */
        isMailWritten: z.boolean().optional(),
      }),
    ),
  /**
   * With the bearer token of an anonymous account, the device claims the address or moves to the account that has it. `deviceId` is new,
   * for the account that the device may join; a device that stays in its account keeps its id, and the reply contains that id and a new
   * token.
   */
  signIn: publicBase
    .route({ method: 'POST', path: '/v1/account/sign-in', summary: 'Sign a device in, with the code' })
    .input(
      SignInDevice.extend({
        email: Email,
        code: SignInCode,
        /** Older apps omit it and are identified by the token of the device that requested the e-mail. */
        requestId: SignInRequestId.optional(),
      }),
    )
    .output(SignInResult),
  signInByLink: publicBase
    .route({ method: 'POST', path: '/v1/account/sign-in-by-link', summary: 'Sign a device in, with the link' })
    .input(SignInDevice.extend({ link: SignInLink }))
    .output(SignInResult),
  /** Returns the address that a link signs in, since the link may belong to another person. The link stays valid. */
  whoseLink: publicBase
    .route({ method: 'POST', path: '/v1/account/whose-link', summary: 'The address that a link signs in' })
    .input(z.strictObject({ link: SignInLink }))
    .output(z.strictObject({ email: z.string() })),
  view: serverBase
    .route({ method: 'GET', path: '/v1/account', summary: 'Who this is, and what they may' })
    .input(z.strictObject({ timeZone: z.string().max(80).optional() }).optional())
    .output(AccountView),
  assignments: serverBase
    .route({
      method: 'GET',
      path: '/v1/account/assignments',
      summary: 'The courses that the classes of this learner finish',
    })
    .input(z.strictObject({}).optional())
    .output(z.array(Assignment)),
  /**
   * Tells which of these accounts were erased on request, so that a device gives work that still waits for one of them to the next account of
   * the same address.
   */
  erased: serverBase
    .route({ method: 'POST', path: '/v1/account/erased', summary: 'Which of these accounts were erased' })
    .input(z.strictObject({ userIds: z.array(LearnerId).max(MAX_ACCOUNTS_AT_ONCE) }))
    .output(z.strictObject({ userIds: z.array(LearnerId) })),
  /**
   * Tells which of these rows the account has. A device that joins it asks for the ids that its own rows would have there if a computer of the
   * account had imported them from a file, or if it had imported them itself.
   */
  knownRows: serverBase
    .route({ method: 'POST', path: '/v1/account/known-rows', summary: 'Which of these rows the account has' })
    .input(z.strictObject({ ids: z.array(z.uuid()).max(MAX_KNOWN_ROWS_AT_ONCE) }))
    .output(z.strictObject({ ids: z.array(z.uuid()) })),
  /**
   * Sends a confirmation code. Irreversible actions and grants of power fail with `auth.confirmation_required` unless a code was entered in
   * the last ten minutes.
   */
  requestConfirmation: serverBase
    .route({
      method: 'POST',
      path: '/v1/account/request-confirmation',
      summary: 'A message with a code to the own address',
    })
    .input(z.strictObject({}))
    /** Older servers omit it. */
    .output(z.strictObject({ isMailWritten: z.boolean().optional() })),
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
