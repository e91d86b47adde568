/**
 * Step-up authentication: irreversible or powerful actions need a code that was sent to the account's address within the last minutes, so
 * that a stolen token or an open browser is not enough.
 */
import type { LearnerId } from '@parley/domain';
import { eq } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { devices, tables, webSessions } from '../../db/tables.ts';
import { DomainError } from '../../domain-error.ts';
import type { SignIn } from './sign-in.ts';
import type { SignInEmails } from './sign-in-emails.ts';

/** How long a code covers an action that needs its own confirmation. */
export const CONFIRMATION_LIFETIME_MS: number = 10 * 60_000;
/** How long a confirmation covers an admin's other actions. */
export const ADMIN_CONFIRMATION_LIFETIME_MS: number = 12 * 3_600_000;

/** The caller is a device with its token or a browser with its session. */
export type Caller = { userId: LearnerId } & ({ deviceId: string } | { sessionId: string });

export interface Confirmation {
  /** Sends a code to the account's own address. The code works for this caller only. Throws `account.no_email`. */
  request: (caller: Caller) => Promise<void>;
  /**
   * Marks the caller as confirmed. Throws `sign_in.code_wrong` and `sign_in.codes_paused`; a wrong code uses up an
   * attempt, as it does when signing in.
   */
  confirm: (caller: Caller, code: string) => Promise<void>;
  /** Whether the caller proved the address within that time. An account without an address needs no proof. */
  isConfirmed: (caller: Caller, withinMs: number) => Promise<boolean>;
  /** Throws `auth.confirmation_required`. */
  require: (caller: Caller, withinMs?: number) => Promise<void>;
}

export interface ConfirmationParts {
  db: Database;
  now: () => Date;
  signInEmails: SignInEmails;
  signIn: Pick<SignIn, 'requestFor'>;
}

export function createConfirmation({ db, now, signInEmails, signIn }: ConfirmationParts): Confirmation {
  const readEmail = async (userId: string): Promise<string | null> => {
    const { email, userId: id } = tables.users;
    const [user] = await db.select({ email }).from(tables.users).where(eq(id, userId));
    return user?.email?.toLowerCase() ?? null;
  };
  const requireEmail = async (userId: string): Promise<string> => {
    const email = await readEmail(userId);
    if (email === null) throw new DomainError('account.no_email');
    return email;
  };
  const isConfirmed: Confirmation['isConfirmed'] = async (caller, withinMs) => {
    const at = await readConfirmedAt(db, caller);
    if (at !== null && now().getTime() - at.getTime() < withinMs) return true;
    return (await readEmail(caller.userId)) === null;
  };

  return {
    isConfirmed,
    request: async (caller) => signIn.requestFor(callerIdOf(caller), await requireEmail(caller.userId)),

    async confirm(caller, code) {
      const email = await requireEmail(caller.userId);
      const outcome = await db.transaction(async (tx) => {
        const spent = await signInEmails.redeemCode(tx, { email, code, requestId: null, deviceId: callerIdOf(caller) });
        if (spent === 'right') await recordConfirmation(tx, caller, now());
        return spent;
      });
      if (outcome === 'guessed' || outcome === 'paused') throw new DomainError('sign_in.codes_paused');
      if (outcome !== 'right') throw new DomainError('sign_in.code_wrong');
    },

    async require(caller, withinMs = CONFIRMATION_LIFETIME_MS) {
      if (!(await isConfirmed(caller, withinMs))) throw new DomainError('auth.confirmation_required');
    },
  };
}

/** When a code or link that was sent to the account's address was last used, on any device or in any browser. */
export async function readAddressProvedAt(db: Database, userId: string): Promise<Date | null> {
  const { users } = tables;
  const proofs = await db
    .select({ at: users.lastLoginAt })
    .from(users)
    .where(eq(users.userId, userId))
    .unionAll(db.select({ at: devices.confirmedAt }).from(devices).where(eq(devices.userId, userId)))
    .unionAll(db.select({ at: webSessions.confirmedAt }).from(webSessions).where(eq(webSessions.userId, userId)));
  const times = proofs.flatMap(({ at }) => (at === null ? [] : [at.getTime()]));
  return times.length === 0 ? null : new Date(Math.max(...times));
}

const callerIdOf = (caller: Caller): string => ('deviceId' in caller ? caller.deviceId : caller.sessionId);

async function readConfirmedAt(db: Database, caller: Caller): Promise<Date | null> {
  const [row] =
    'deviceId' in caller
      ? await db.select({ at: devices.confirmedAt }).from(devices).where(eq(devices.deviceId, caller.deviceId))
      : await db.select({ at: webSessions.confirmedAt }).from(webSessions).where(eq(webSessions.id, caller.sessionId));
  return row?.at ?? null;
}

async function recordConfirmation(tx: Database, caller: Caller, confirmedAt: Date): Promise<void> {
  if ('deviceId' in caller) await tx.update(devices).set({ confirmedAt }).where(eq(devices.deviceId, caller.deviceId));
  else await tx.update(webSessions).set({ confirmedAt }).where(eq(webSessions.id, caller.sessionId));
}
