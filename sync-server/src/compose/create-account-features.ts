/** Builds the account features: sign-in, sign-out, access, account deletion and browser sessions. */
import { randomBytes } from 'node:crypto';
import {
  type AccessMode,
  type DeviceRegistry,
  createAccess,
  createAccountViewReader,
  createAdminQueries,
  createConfirmation,
  createDeletion,
  createRequesterIdentifier,
  createSignIn,
  createSignInEmails,
  createSignOut,
  createWebSessions,
  type EnqueueAccountMail,
  type ReadRemainingTime,
} from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { readRemainingSeconds } from '../metering/index.ts';
import type { PokeBroadcaster } from '../sync/index.ts';
import { createCookieJar } from '../web/cookies.ts';
import { createCsrfGuard } from '../web/csrf-guard.ts';
import { createPageLanguages } from '../web/page-language.ts';
import { createBrowserSessions } from '../web/browser-sessions.ts';
import { ACCOUNT_PATH, SIGN_IN_PATH } from '../web/account-pages.ts';

export interface AccountSettings {
  access: AccessMode;
  adminEmails: readonly string[];
  /** The public base URL of this server; links in e-mails begin with it. */
  origin: string;
  /** Seals codes and forms. It must be the same on every node and after a restart. */
  secret: string;
  /** Whether cookies are restricted to TLS. */
  hasSecureCookies: boolean;
}

/** Defaults for a local server, whose sealed tokens need not survive a restart. */
export const ACCOUNT_DEFAULTS = (): AccountSettings => ({
  access: 'open',
  adminEmails: [],
  origin: 'http://127.0.0.1',
  secret: randomBytes(32).toString('base64url'),
  hasSecureCookies: false,
});

export interface AccountFeatureParts {
  db: Database;
  now: () => Date;
  accounts: DeviceRegistry;
  announcer: PokeBroadcaster;
  settings: AccountSettings;
  mail: EnqueueAccountMail;
  isMetered: boolean;
  /** Adjusts the subscription after an account deletion is requested or withdrawn, or access changes. It never throws. */
  syncSubscription: (userId: string) => Promise<void>;
  /** Called when so many codes were wrong that codes for unknown requesters are paused. */
  onCodesPaused: () => void;
  /** Called when a network has requested so many sign-in e-mails that only addresses with an account get one. */
  onMailLimited?: () => void;
}

export function createAccountFeatures(parts: AccountFeatureParts) {
  const { db, now, accounts, announcer, settings, mail, isMetered, syncSubscription } = parts;
  const { access: mode, adminEmails, origin, secret, hasSecureCookies } = settings;
  const changed = announcer.pokeLearner;
  const linkUrl = (link: string): string => `${origin}${SIGN_IN_PATH}?link=${link}`;
  const signInEmails = createSignInEmails({ db, now, secret });
  const requesters = createRequesterIdentifier({ db, secret });
  const signIn = createSignIn({
    db,
    now,
    signInEmails,
    requesters,
    onCodesPaused: parts.onCodesPaused,
    ...(parts.onMailLimited === undefined ? {} : { onMailLimited: parts.onMailLimited }),
    mail,
    linkUrl,
    onChanged: changed,
    onTokenReplaced: announcer.disconnectDevice,
    grantsAccess: mode === 'open',
    adminEmails: new Set(adminEmails),
  });
  const access = createAccess({
    db,
    now,
    mode,
    signInEmails,
    mail,
    linkUrl,
    onChanged: changed,
    onAccessChanged: syncSubscription,
  });
  const webSessions = createWebSessions({ db, now });
  const readLeft: ReadRemainingTime = async (userId, plan, timeZone) => {
    const left = await readRemainingSeconds(db, { userId, ...plan, timeZone, now: now() });
    return { liveS: left.turn_based, callsS: left.ultra_realistic };
  };
  const cookies = createCookieJar({ isSecure: hasSecureCookies, origin });
  return {
    cookies,
    isMetered,
    languages: createPageLanguages({ db, cookies }),
    accounts,
    signInEmails,
    requesters,
    access,
    webSessions,
    signIn,
    confirmation: createConfirmation({ db, now, signInEmails, signIn }),
    signOut: createSignOut({ db, now, signInEmails, webSessions, onDeviceSignedOut: announcer.disconnectDevice }),
    deletion: createDeletion({
      db,
      now,
      mail,
      keepUrl: `${origin}${ACCOUNT_PATH}`,
      onDeletionChanged: syncSubscription,
    }),
    views: createAccountViewReader({ db, now, access, readRemainingTime: isMetered ? readLeft : null }),
    administration: createAdminQueries({ db }),
    gate: createBrowserSessions({ webSessions, access, cookies }),
    guard: createCsrfGuard({ secret, cookies }),
    /** Creates a link for a reminder e-mail that signs the learner in for several days. */
    makeAccessLink: async (tx: Database, { email }: { email: string }): Promise<string> =>
      linkUrl((await signInEmails.createAccessLink(tx, email)).link),
  };
}
