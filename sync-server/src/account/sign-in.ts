/** Signing in by e-mail: a message with a code and a link, and what each opens. Known and unknown addresses are answered alike. */
import type { SignedIn } from '@parley/contract';
import { isKnownTimeZone } from '@parley/domain';
import type { Database } from '../db/client.ts';
import { failure } from '../failure.ts';
import type { SignedInDevice } from './account.ts';
import { addDevice, type NewDevice, renewToken, requireMovable, requireText } from './account-rows.ts';
import { type Entered, enterAccount, type EntryRules } from './enter-account.ts';
import { leaveAccount } from './leave-account.ts';
import type { EnqueueMail } from './mail-port.ts';
import type { MessageWish, SignInMessages } from './sign-in-messages.ts';
import type { Asking, Requesters } from './sign-in-requester.ts';
import { hashSecret } from './tokens.ts';

type SigningDevice = NewDevice & { timeZone: string };

export interface SignIn {
  /** The id of the request, which the app names with the code; a browser has no use for it. */
  request: (asking: Asking & Pick<MessageWish, 'request'>) => Promise<string>;
  /** A message to the address of someone who is signed in. Its code works for this device or browser session only. */
  requestFor: (callerId: string, email: string) => Promise<void>;
  /**
   * Throws `sign_in.code_wrong`, `sign_in.codes_paused`, and `sync.protocol_too_old` for an app that neither names its request nor proves to be
   * the device that made it; `former`: the device by its token, one that is signed out too. The device's own account gets the address where neither has one yet; else it moves to the account that
   * has the address, under the id that it gives itself. One that stays where it is keeps its id, whatever it gives.
   */
  withCode: (
    device: SigningDevice & { email: string; code: string; requestId?: string | undefined },
    bearer: SignedInDevice | null,
    former?: SignedInDevice | null,
  ) => Promise<SignedIn>;
  /** The same. Throws `sign_in.link_spent`. */
  withLink: (device: SigningDevice & { link: string }, bearer: SignedInDevice | null) => Promise<SignedIn>;
  /** The address that it would sign in; spends nothing. Throws `sign_in.link_spent`. */
  whoseLink: (link: string) => Promise<string>;
  /** For a browser: `open` makes its session in the same transaction. Throws `sign_in.link_spent`. */
  inBrowser: <Opened>(
    link: string,
    open: (tx: Database, userId: string) => Promise<Opened>,
  ) => Promise<{ session: Opened; email: string }>;
}

export interface SignInParts extends EntryRules {
  db: Database;
  messages: SignInMessages;
  requesters: Requesters;
  /** A code was not even looked at. */
  onPaused?: () => void;
  mail: EnqueueMail;
  /** The address of a link's page. */
  linkUrl: (link: string) => string;
  /** Told after the transaction: their devices hear of it. */
  changed: (userId: string, version: number) => void;
}

export function createSignIn(parts: SignInParts): SignIn {
  const { db, now, messages, requesters, mail, linkUrl, changed, onPaused } = parts;

  /** Null where nothing was proved: that is committed too, for a wrong code costs a try. */
  async function enter<Value>(
    work: (tx: Database) => Promise<{ entered: Entered; value: Value } | null>,
  ): Promise<Value | null> {
    const done = await db.transaction(work);
    if (done === null) return null;
    changed(done.entered.userId, done.entered.version);
    return done.value;
  }

  async function signInDevice(
    device: SigningDevice,
    bearer: SignedInDevice | null,
    prove: (tx: Database) => Promise<{ email: string; by: 'code' | 'link' } | null>,
  ): Promise<SignedIn | null> {
    requireText(device.name);
    if (!isKnownTimeZone(device.timeZone)) throw failure('request.invalid', { field: 'timeZone' });
    return enter(async (tx) => {
      const proved = await prove(tx);
      if (proved === null) return null;
      const entered = await enterAccount(tx, parts, { ...proved, bearer, on: 'device' });
      return { entered, value: await seat(tx, { device, bearer, entered }) };
    });
  }

  async function seat(
    tx: Database,
    { device, bearer, entered }: { device: SigningDevice; bearer: SignedInDevice | null; entered: Entered },
  ): Promise<SignedIn> {
    const { userId, isSameAccount, left } = entered;
    const { deviceId, name, platform, timeZone } = device;
    const described = { name, platform, timeZone, at: now() };
    // A new token all the same: whoever knew the old one has not proved the address.
    if (isSameAccount && bearer !== null)
      return { credentials: await renewToken(tx, bearer, described), isSameAccount };
    await requireMovable(tx, deviceId, { userId, bearer });
    const credentials = await addDevice(tx, { deviceId, userId, ...described, confirmedAt: described.at });
    if (left !== null && bearer !== null)
      await leaveAccount(tx, { left, deviceId: bearer.deviceId, leftFor: userId, at: now() });
    return { credentials, isSameAccount: false };
  }

  const send = (wish: MessageWish): Promise<string> =>
    db.transaction(async (tx) => {
      const { requestId, message } = await messages.write(tx, wish);
      if (message === null) return requestId;
      const { id, code, withoutCode, link } = message;
      const data = { code, withoutCode, link: linkUrl(link) };
      await mail(tx, { userId: null, to: wish.email, kind: 'sign_in', step: id, data });
      return requestId;
    });

  return {
    // Whether anybody has the address is not even looked up.
    request: async ({ request, ...asking }) =>
      send({ email: asking.email, requester: await requesters.of(asking), request }),

    async requestFor(callerId, email) {
      const requester = { key: hashSecret(`caller:${callerId}`), isKnown: true, deviceId: callerId };
      await send({ email, requester, request: { id: null } });
    },

    async withCode({ email, code, requestId = null, ...device }, bearer, former = bearer) {
      let outcome: Awaited<ReturnType<SignInMessages['spendCode']>> = 'wrong';
      const signedIn = await signInDevice(device, bearer, async (tx) => {
        outcome = await messages.spendCode(tx, { email, code, requestId, deviceId: former?.deviceId ?? null });
        return outcome === 'right' ? { email, by: 'code' } : null;
      });
      if (signedIn !== null) return signedIn;
      throw refusalOf(outcome);
    },

    async withLink({ link, ...device }, bearer) {
      const signedIn = await signInDevice(device, bearer, async (tx) => {
        const email = await messages.spendLink(tx, link);
        return email === null ? null : { email, by: 'link' };
      });
      if (signedIn === null) throw failure('sign_in.link_spent');
      return signedIn;
    },

    async whoseLink(link) {
      const email = await messages.whoseLink(link);
      if (email === null) throw failure('sign_in.link_spent');
      return email;
    },

    async inBrowser(link, open) {
      const opened = await enter(async (tx) => {
        const email = await messages.spendLink(tx, link);
        if (email === null) return null;
        const entered = await enterAccount(tx, parts, { email, bearer: null, by: 'link', on: 'browser' });
        return { entered, value: { session: await open(tx, entered.userId), email } };
      });
      if (opened === null) throw failure('sign_in.link_spent');
      return opened;
    },
  };

  function refusalOf(outcome: Awaited<ReturnType<SignInMessages['spendCode']>>): Error {
    if (outcome === 'unbound') return failure('sync.protocol_too_old', { detail: 'sign_in' });
    if (outcome === 'wrong' || outcome === 'right') return failure('sign_in.code_wrong');
    if (outcome === 'paused') onPaused?.();
    return failure('sign_in.codes_paused');
  }
}
