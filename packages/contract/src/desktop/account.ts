/** The learner's account, as the window sees it. */
import { DeviceId, LIVE_ACCESS } from '@parley/domain';
import { z } from 'zod';
import { AccountView, Email, SignInCode, SignInLink } from '../server/account.ts';
import { Invoice, PlanOffer } from '../server/billing.ts';
import { DEVICE_PLATFORMS, LinkCode } from '../server/devices.ts';
import { base } from './base.ts';
import { SyncStatus } from './sync-status.ts';

/** One of this account's devices. */
export const AccountDevice = z.object({
  deviceId: DeviceId,
  name: z.string(),
  platform: z.enum(DEVICE_PLATFORMS),
  lastSeenAt: z.date(),
  isThis: z.boolean(),
});
export type AccountDevice = z.infer<typeof AccountDevice>;

/** What the server last said of this account, and when; null where it has never been asked, or there is none. */
export const AccountState = z.object({
  known: z.object({ account: AccountView, at: z.date() }).nullable(),
  /** Whether it could be asked just now. */
  isFresh: z.boolean(),
  /** Whether there is a server to sign in to. */
  hasServer: z.boolean(),
  /** Whether the server has sent this device away: signed out here, or from another device. What is known is then of before. */
  isSignedOut: z.boolean(),
  /** Whether a live coach may be talked with. Guided practices ask nobody. */
  liveAccess: z.enum(LIVE_ACCESS),
});
export type AccountState = z.infer<typeof AccountState>;

export const accountContract = {
  state: base.input(z.void()).output(AccountState),
  /** Sends a message with a code and a link, whoever it is. */
  requestSignIn: base.input(z.object({ email: Email })).output(z.void()),
  /** What this device holds comes along; nothing is lost, nothing is there twice. */
  signIn: base.input(z.object({ email: Email, code: SignInCode })).output(AccountState),
  signInByLink: base.input(z.object({ link: SignInLink })).output(AccountState),
  /** To which address a link was sent: its owner must know before they use it. */
  whoseLink: base.input(z.object({ link: SignInLink })).output(z.object({ email: z.string() })),
  /** The server forgets this device; what it holds stays on it. */
  signOut: base.input(z.void()).output(AccountState),
  /** What fails with `auth.confirmation_required` is possible for ten minutes after the code of this message was typed. */
  requestConfirmation: base.input(z.void()).output(z.void()),
  confirm: base.input(z.object({ code: SignInCode })).output(z.void()),
  requestAccess: base.input(z.void()).output(AccountState),
  requestDeletion: base.input(z.void()).output(AccountState),
  withdrawDeletion: base.input(z.void()).output(AccountState),
  /** Writes everything on this device into one file: rows as JSON and CSV, and the recordings. */
  exportAll: base.input(z.void()).output(z.object({ file: z.string(), bytes: z.number().int().min(0) })),
  createLinkCode: base.input(z.void()).output(z.object({ code: LinkCode, expiresAt: z.date() })),
  /** Joins the account behind the code; what this device already holds moves along. */
  join: base.input(z.object({ code: LinkCode })).output(SyncStatus),
  /** The one seen last first. */
  devices: base.input(z.void()).output(z.array(AccountDevice)),
  /** Signs another device out for good: what it has not sent yet stays on it. */
  revokeDevice: base.input(z.object({ deviceId: DeviceId })).output(z.array(AccountDevice)),
};

const Address = z.object({ url: z.url() });

export const billingContract = {
  plans: base.input(z.void()).output(z.object({ offers: z.array(PlanOffer), isTest: z.boolean() })),
  invoices: base.input(z.void()).output(z.array(Invoice)),
  startTrial: base.input(z.void()).output(AccountState),
  /** An address for the system's browser. */
  checkout: base.input(z.object({ priceId: z.uuid() })).output(Address),
  portal: base.input(z.void()).output(Address),
};
