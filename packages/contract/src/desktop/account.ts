/** The renderer's view of the learner's account. */
import { DeviceId, LIVE_ACCESS } from '@parley/domain';
import { z } from 'zod';
import { AccountView, Email, SignInCode, SignInLink } from '../server/account.ts';
import { Invoice, PlanOffer } from '../server/billing.ts';
import { DEVICE_PLATFORMS, DeviceWipes, LinkCode } from '../server/devices.ts';
import { base } from './base.ts';
import { SyncStatus } from './sync-status.ts';

export const AccountDevice = z.object({
  deviceId: DeviceId,
  name: z.string(),
  platform: z.enum(DEVICE_PLATFORMS),
  lastSeenAt: z.date(),
  isThis: z.boolean(),
});
export type AccountDevice = z.infer<typeof AccountDevice>;

/** The server's last response about this account; `known` is null before the first response, and without an account. */
export const AccountState = z.object({
  known: z.object({ account: AccountView, at: z.date() }).nullable(),
  /** Whether the server was reachable just now. */
  isFresh: z.boolean(),
  /** Whether a server is configured to sign in to. */
  hasServer: z.boolean(),
  /** True if the server has signed this device out. `known` is then the last response before that. */
  isSignedOut: z.boolean(),
  /** Whether a live coach may be used. Guided practices need no access. */
  liveAccess: z.enum(LIVE_ACCESS),
});
export type AccountState = z.infer<typeof AccountState>;

export const accountContract = {
  state: base.input(z.void()).output(AccountState),
  /** Sends an e-mail with a code and a link. The reply is the same whether or not the account exists. */
  requestSignIn: base.input(z.object({ email: Email })).output(
    z.object({
      /** Whether this network has requested so many e-mails that an address without an account gets none for now. */
      isNetworkLimited: z.boolean(),
      /** Whether the e-mail is only written to a folder of the server, because no mail server is configured. */
      isMailWritten: z.boolean(),
    }),
  ),
  /** Merges the data on this device into the account without losing or duplicating anything. */
  signIn: base.input(z.object({ email: Email, code: SignInCode })).output(AccountState),
  signInByLink: base.input(z.object({ link: SignInLink })).output(AccountState),
  /** Returns the address that a link signs in, so that the learner can check it before using the link. */
  whoseLink: base.input(z.object({ link: SignInLink })).output(z.object({ email: z.string() })),
  /** The server forgets this device; the local data stays on it. */
  signOut: base.input(z.void()).output(AccountState),
  /** Sends a code. For ten minutes after the learner enters it, the actions that fail with `auth.confirmation_required` are allowed. */
  requestConfirmation: base.input(z.void()).output(z.object({ isMailWritten: z.boolean() })),
  confirm: base.input(z.object({ code: SignInCode })).output(z.void()),
  requestAccess: base.input(z.void()).output(AccountState),
  requestDeletion: base.input(z.void()).output(AccountState),
  withdrawDeletion: base.input(z.void()).output(AccountState),
  /** Exports all data on this device to one file: rows as JSON and CSV, and the recordings. */
  exportAll: base.input(z.void()).output(
    // `isComplete`: whether everything on the server was here or could be fetched.
    z.object({ file: z.string(), bytes: z.number().int().min(0), isComplete: z.boolean() }),
  ),
  createLinkCode: base.input(z.void()).output(z.object({ code: LinkCode, expiresAt: z.date() })),
  /** Joins the account that issued the code and brings this device's data along. */
  join: base.input(z.object({ code: LinkCode })).output(SyncStatus),
  /** The most recently seen device comes first. */
  devices: base.input(z.void()).output(z.array(AccountDevice)),
  /** Signs another device out permanently. Changes that it has not sent stay on it. */
  revokeDevice: base.input(z.object({ deviceId: DeviceId })).output(z.array(AccountDevice)),
  /** The devices that can delete the account's data on request, and those that were told to. Null if the server cannot order a deletion. */
  deviceWipes: base.input(z.void()).output(DeviceWipes.nullable()),
  /** Signs another device out and has it delete the account's data. Fails with `auth.confirmation_required`, like the account's deletion. */
  wipeDevice: base.input(z.object({ deviceId: DeviceId })).output(DeviceWipes),
};

const Address = z.object({ url: z.url() });

export const billingContract = {
  plans: base.input(z.void()).output(z.object({ offers: z.array(PlanOffer), isTest: z.boolean() })),
  invoices: base.input(z.void()).output(z.array(Invoice)),
  startTrial: base.input(z.void()).output(AccountState),
  /** A URL to open in the system's browser. */
  checkout: base.input(z.object({ priceId: z.uuid() })).output(Address),
  portal: base.input(z.void()).output(Address),
};
