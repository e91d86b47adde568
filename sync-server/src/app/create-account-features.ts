/** Puts everything about accounts together: signing in and out, access, leaving, and the pages in a browser. */
import { randomBytes } from 'node:crypto';
import {
  type AccessMode,
  type Accounts,
  createAccess,
  createAccountViews,
  createAdministration,
  createConfirmation,
  createDeletion,
  createRequesters,
  createSignIn,
  createSignInMessages,
  createSignOut,
  createWebSessions,
  type EnqueueMail,
  type ReadLeft,
} from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { readAllowance } from '../metering/index.ts';
import type { Announcer } from '../sync/index.ts';
import { cookieJar } from './cookies.ts';
import { createFormGuard } from './form-guard.ts';
import { createWebGate } from './web-gate.ts';
import { ACCOUNT_PATH, SIGN_IN_PATH } from './web-pages.ts';

export interface AccountSettings {
  access: AccessMode;
  adminEmails: readonly string[];
  /** Where this server is reached from outside; links in e-mails begin with it. */
  origin: string;
  /** The same on every node, and with every start: codes and forms are sealed with it. */
  secret: string;
  /** Whether browsers are told to send cookies over TLS alone. */
  hasSecureCookies: boolean;
}

/** For a server that nobody else reaches, and that forgets with its process what it has sealed. */
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
  accounts: Accounts;
  announcer: Announcer;
  settings: AccountSettings;
  mail: EnqueueMail;
  countsMinutes: boolean;
  /** A learner has asked to be erased, or lost access, or neither any more: their plan follows. Never throws. */
  planMoved: (userId: string) => Promise<void>;
  /** So many codes were wrong that those of strangers are not taken for now. */
  onCodesPaused: () => void;
}

export function createAccountFeatures(parts: AccountFeatureParts) {
  const { db, now, accounts, announcer, settings, mail, countsMinutes, planMoved } = parts;
  const { access: mode, adminEmails, origin, secret, hasSecureCookies } = settings;
  const changed = announcer.userMoved;
  const linkUrl = (link: string): string => `${origin}${SIGN_IN_PATH}?link=${link}`;
  const messages = createSignInMessages({ db, now, secret });
  const requesters = createRequesters({ db, secret });
  const signIn = createSignIn({
    db,
    now,
    messages,
    requesters,
    onPaused: parts.onCodesPaused,
    mail,
    linkUrl,
    changed,
    letsIn: mode === 'open',
    adminEmails: new Set(adminEmails),
  });
  const access = createAccess({ db, now, mode, messages, mail, linkUrl, changed, accessMoved: planMoved });
  const webSessions = createWebSessions({ db, now });
  const readLeft: ReadLeft = async (userId, plan, timeZone) => {
    const left = await readAllowance(db, { userId, ...plan, timeZone, now: now() });
    return { liveS: left.turn_based, callsS: left.ultra_realistic };
  };
  const cookies = cookieJar({ isSecure: hasSecureCookies, origin });
  return {
    accounts,
    messages,
    requesters,
    access,
    webSessions,
    signIn,
    confirmation: createConfirmation({ db, now, messages, signIn }),
    signOut: createSignOut({ db, now, webSessions, signedOut: announcer.signedOut }),
    deletion: createDeletion({ db, now, mail, keepUrl: `${origin}${ACCOUNT_PATH}`, leavingMoved: planMoved }),
    views: createAccountViews({ db, now, access, readLeft: countsMinutes ? readLeft : null }),
    administration: createAdministration({ db }),
    gate: createWebGate({ webSessions, access, cookies }),
    guard: createFormGuard({ secret, cookies }),
    /** For whoever reminds learners: a link that signs them in for days. */
    makeAccessLink: async (tx: Database, { email }: { email: string }): Promise<string> =>
      linkUrl((await messages.writeAccessLink(tx, email)).link),
  };
}
