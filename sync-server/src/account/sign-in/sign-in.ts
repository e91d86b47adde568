/** Sign-in by e-mail with a code or a link. Known and unknown addresses get the same response. */
import type { SignInResult } from '@parley/contract';
import { type DeviceId, isKnownTimeZone } from '@parley/domain';
import { TransactionRollbackError } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { DomainError } from '../../domain-error.ts';
import type { SignedInDevice } from '../devices/device-registry.ts';
import { addDevice, type NewDevice, renewToken, requireMovableDevice, requireStorableText } from '../account-rows.ts';
import { findAccount, type ResolvedAccount, resolveAccount, type SignInRules } from './resolve-account.ts';
import { scheduleAbandonedAccountErasure } from '../deletion/abandoned-account.ts';
import { readLanguageOfAddress } from '../language/learner-language.ts';
import type { EnqueueAccountMail } from '../account-mail.ts';
import type { EmailRequest, SignInEmails, SignInRequested } from './sign-in-emails.ts';
import type { RequesterEvidence, RequesterIdentifier } from './requester.ts';
import { hashSecret } from '../secrets.ts';

type DeviceToSignIn = NewDevice & { timeZone: string };

export interface SignIn {
  request: (
    asking: RequesterEvidence & Pick<EmailRequest, 'request'> & { language: string | null },
  ) => Promise<SignInRequested>;
  /** Sends a signed-in learner a code that confirms an action. It works for this device or browser session only. */
  requestFor: (callerId: string, email: string) => Promise<void>;
  /**
   * Throws `sign_in.code_wrong`, `sign_in.codes_paused`, and `sync.protocol_too_old` for an app that neither names its
   * request nor sends the token of the device that made it. `former` is the device identified by its token, even if it
   * is signed out. If neither the device's account has an address nor the address an account, the device's account gets
   * the address. Otherwise, the device moves to the account with the address, under the id in the request. A device
   * that stays on its account keeps its id.
   */
  signInWithCode: (
    device: DeviceToSignIn & { email: string; code: string; requestId?: string | undefined },
    bearer: SignedInDevice | null,
    former?: SignedInDevice | null,
  ) => Promise<SignInResult>;
  /** Works like signing in with a code. Throws `sign_in.link_spent`. */
  signInWithLink: (device: DeviceToSignIn & { link: string }, bearer: SignedInDevice | null) => Promise<SignInResult>;
  /** The address that the link would sign in. Spends nothing. Throws `sign_in.link_spent`. */
  readEmailOfLink: (link: string) => Promise<string>;
  /**
   * Signs a browser in. `open` creates its session in the same transaction; the session is confirmed unless the link is
   * an old one. Throws `sign_in.link_spent`.
   */
  signInBrowser: <Opened>(
    link: string,
    open: (tx: Database, signedIn: { userId: string; isConfirmed: boolean }) => Promise<Opened>,
  ) => Promise<{ session: Opened; email: string }>;
  /** Works like signing in with a link. Throws `sign_in.code_wrong` and `sign_in.codes_paused`. */
  signInBrowserWithCode: <Opened>(
    sent: { email: string; code: string; requestId: string },
    open: (tx: Database, signedIn: { userId: string; isConfirmed: boolean }) => Promise<Opened>,
  ) => Promise<Opened>;
}

export interface SignInParts extends SignInRules {
  db: Database;
  signInEmails: SignInEmails;
  requesters: RequesterIdentifier;
  /** Called when a code is refused without being checked because codes are paused. */
  onCodesPaused?: () => void;
  /** Called when a network has requested so many e-mails that only addresses with an account get one. */
  onMailLimited?: () => void;
  mail: EnqueueAccountMail;
  /** Builds the address of the page behind a sign-in link. */
  linkUrl: (link: string) => string;
  /** Called after the transaction, so that the learner's devices are poked. */
  onChanged: (userId: string, version: number) => void;
  /**
   * Called after the transaction with a device that has a new token; a listener that used the old one must receive
   * nothing more.
   */
  onTokenReplaced: (deviceId: DeviceId) => void;
}

export function createSignIn(parts: SignInParts): SignIn {
  const { db, now, signInEmails, requesters, mail, linkUrl, onChanged, onTokenReplaced, onCodesPaused, onMailLimited } =
    parts;

  /** Null when nothing was proved. That is committed too, because a wrong code uses up an attempt. */
  async function commitSignIn<Value>(
    work: (tx: Database) => Promise<{ entered: ResolvedAccount; value: Value } | null>,
  ): Promise<Value | null> {
    const done = await db.transaction(work);
    if (done === null) return null;
    onChanged(done.entered.userId, done.entered.version);
    return done.value;
  }

  async function signInDevice(
    device: DeviceToSignIn,
    bearer: SignedInDevice | null,
    prove: (tx: Database) => Promise<{ email: string; by: 'code' | 'link'; isConfirmed: boolean } | null>,
  ): Promise<SignInResult | null> {
    requireStorableText(device.name);
    if (!isKnownTimeZone(device.timeZone)) throw new DomainError('request.invalid', { field: 'timeZone' });
    const signedIn = await commitSignIn(async (tx) => {
      const proved = await prove(tx);
      if (proved === null) return null;
      const { isConfirmed, ...proof } = proved;
      const entered = await resolveAccount(tx, parts, { ...proof, bearer, on: 'device' });
      return { entered, value: await attachDevice(tx, { device, bearer, entered, isConfirmed }) };
    });
    if (signedIn !== null) onTokenReplaced(signedIn.credentials.deviceId);
    return signedIn;
  }

  async function attachDevice(
    tx: Database,
    {
      device,
      bearer,
      entered,
      isConfirmed,
    }: { device: DeviceToSignIn; bearer: SignedInDevice | null; entered: ResolvedAccount; isConfirmed: boolean },
  ): Promise<SignInResult> {
    const { userId, isSameAccount, abandonedUserId } = entered;
    const { deviceId, name, platform, timeZone } = device;
    const at = now();
    const described = { name, platform, timeZone, at, confirmedAt: isConfirmed ? at : null };
    // The token is renewed too, because an earlier holder of it has not proved the address.
    if (isSameAccount && bearer !== null)
      return { credentials: await renewToken(tx, bearer, described), isSameAccount };
    await requireMovableDevice(tx, deviceId, { userId, bearer });
    const credentials = await addDevice(tx, { deviceId, userId, ...described });
    if (abandonedUserId !== null && bearer !== null)
      await scheduleAbandonedAccountErasure(tx, {
        left: abandonedUserId,
        deviceId: bearer.deviceId,
        leftFor: userId,
        at,
      });
    return { credentials, isSameAccount: false };
  }

  /** An invited learner has an account too, whereas an admin whose address is configured may not have one yet. */
  const isExpected = async (tx: Database, email: string): Promise<boolean> =>
    (await findAccount(tx, email)) !== null || parts.adminEmails.has(email);

  const sendEmail = (
    request: EmailRequest,
    { language, isConfirmation }: { language: string | null; isConfirmation: boolean },
  ): Promise<SignInRequested> =>
    db.transaction(async (tx) => {
      const { signInEmail, ...requested } = await signInEmails.createEmail(tx, request);
      if (signInEmail === null) return requested;
      const { id, code, withoutCode, link } = signInEmail;
      const data = { code, withoutCode, link: linkUrl(link), isConfirmation };
      const enqueue = (inner: Database): Promise<unknown> =>
        mail(inner, { userId: null, to: request.email, kind: 'sign_in', step: id, language, data });
      if (requested.isNetworkLimited) {
        onMailLimited?.();
        await enqueueOrUndo(tx, enqueue, { isUndone: !(await isExpected(tx, request.email)) });
      } else await enqueue(tx);
      return requested;
    });

  return {
    // The steps, and the time that they take, are the same for all addresses, so that the response cannot reveal
    // whether an address has an account.
    request: async ({ request, language, ...asking }) =>
      sendEmail(
        { email: asking.email, requester: await requesters.identify(asking), request },
        { language, isConfirmation: false },
      ),

    async requestFor(callerId, email) {
      const requester = { key: hashSecret(`caller:${callerId}`), isKnown: true, deviceId: callerId };
      await sendEmail(
        { email, requester, request: { id: null } },
        { language: await readLanguageOfAddress(db, email), isConfirmation: true },
      );
    },

    async signInWithCode({ email, code, requestId = null, ...device }, bearer, former = bearer) {
      let outcome: Awaited<ReturnType<SignInEmails['redeemCode']>> = 'wrong';
      const signedIn = await signInDevice(device, bearer, async (tx) => {
        outcome = await signInEmails.redeemCode(tx, { email, code, requestId, deviceId: former?.deviceId ?? null });
        return outcome === 'right' ? { email, by: 'code', isConfirmed: true } : null;
      });
      if (signedIn !== null) return signedIn;
      throw toFailure(outcome);
    },

    async signInWithLink({ link, ...device }, bearer) {
      const signedIn = await signInDevice(device, bearer, async (tx) => {
        const redeemed = await signInEmails.redeemLink(tx, link);
        return redeemed === null ? null : { email: redeemed.email, by: 'link', isConfirmed: redeemed.isFresh };
      });
      if (signedIn === null) throw new DomainError('sign_in.link_spent');
      return signedIn;
    },

    async readEmailOfLink(link) {
      const email = await signInEmails.readEmailOfLink(link);
      if (email === null) throw new DomainError('sign_in.link_spent');
      return email;
    },

    async signInBrowser(link, open) {
      const opened = await commitSignIn(async (tx) => {
        const redeemed = await signInEmails.redeemLink(tx, link);
        if (redeemed === null) return null;
        const { email, isFresh } = redeemed;
        const entered = await resolveAccount(tx, parts, { email, bearer: null, by: 'link', on: 'browser' });
        const session = await open(tx, { userId: entered.userId, isConfirmed: isFresh });
        return { entered, value: { session, email } };
      });
      if (opened === null) throw new DomainError('sign_in.link_spent');
      return opened;
    },

    async signInBrowserWithCode({ email, code, requestId }, open) {
      let outcome: Awaited<ReturnType<SignInEmails['redeemCode']>> = 'wrong';
      const opened = await commitSignIn(async (tx) => {
        outcome = await signInEmails.redeemCode(tx, { email, code, requestId, deviceId: null });
        if (outcome !== 'right') return null;
        const entered = await resolveAccount(tx, parts, { email, bearer: null, by: 'code', on: 'browser' });
        return { entered, value: { session: await open(tx, { userId: entered.userId, isConfirmed: true }) } };
      });
      if (opened === null) throw toFailure(outcome);
      return opened.session;
    },
  };

  function toFailure(outcome: Awaited<ReturnType<SignInEmails['redeemCode']>>): Error {
    if (outcome === 'unbound') return new DomainError('sync.protocol_too_old', { detail: 'sign_in' });
    if (outcome === 'wrong' || outcome === 'right') return new DomainError('sign_in.code_wrong');
    if (outcome === 'paused') onCodesPaused?.();
    return new DomainError('sign_in.codes_paused');
  }
}

/** Rolling back takes as long as keeping the row, so that timing reveals nothing. */
async function enqueueOrUndo(
  tx: Database,
  enqueue: (tx: Database) => Promise<unknown>,
  { isUndone }: { isUndone: boolean },
): Promise<void> {
  const kept = tx.transaction(async (inner) => {
    await enqueue(inner);
    if (isUndone) inner.rollback();
  });
  await kept.catch((error: unknown) => {
    if (!(error instanceof TransactionRollbackError)) throw error;
  });
}
