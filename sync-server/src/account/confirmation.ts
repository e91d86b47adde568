/**
 * Step-up: what cannot be undone, or gives others power, is asked for with a code that was sent to the account's address within the last
 * minutes. A stolen token or an open browser alone is not enough.
 */
import type { LearnerId } from '@parley/domain';
import { eq } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { devices, tables, webSessions } from '../db/tables.ts';
import { failure } from '../failure.ts';
import type { SignIn } from './sign-in.ts';
import type { SignInMessages } from './sign-in-messages.ts';

/** For what asks for a code of its own. */
export const FRESH_FOR_MS: number = 10 * 60_000;
/** For all else that an admin does. */
export const ADMIN_FOR_MS: number = 12 * 3_600_000;

/** Who asks: a device by its token, or a browser by its session. */
export type Caller = { userId: LearnerId } & ({ deviceId: string } | { sessionId: string });

export interface Confirmation {
  /** Sends a code to the account's own address, which works for this caller only. Throws `account.no_email`. */
  request: (caller: Caller) => Promise<void>;
  /**
   * The caller counts as confirmed from now on. Throws `sign_in.code_wrong` and `sign_in.codes_paused`; a wrong code costs a try, as at signing
   * in.
   */
  confirm: (caller: Caller, code: string) => Promise<void>;
  /** Whether the caller proved the address so recently; an account without one has nothing to prove. */
  isConfirmed: (caller: Caller, withinMs: number) => Promise<boolean>;
  /** Throws `auth.confirmation_required`. */
  require: (caller: Caller, withinMs?: number) => Promise<void>;
}

export interface ConfirmationParts {
  db: Database;
  now: () => Date;
  messages: SignInMessages;
  signIn: Pick<SignIn, 'requestFor'>;
}

export function createConfirmation({ db, now, messages, signIn }: ConfirmationParts): Confirmation {
  const emailOf = async (userId: string): Promise<string | null> => {
    const { email, userId: id } = tables.users;
    const [user] = await db.select({ email }).from(tables.users).where(eq(id, userId));
    return user?.email?.toLowerCase() ?? null;
  };
  const requireEmail = async (userId: string): Promise<string> => {
    const email = await emailOf(userId);
    if (email === null) throw failure('account.no_email');
    return email;
  };
  const isConfirmed: Confirmation['isConfirmed'] = async (caller, withinMs) => {
    const at = await readConfirmedAt(db, caller);
    if (at !== null && now().getTime() - at.getTime() < withinMs) return true;
    return (await emailOf(caller.userId)) === null;
  };

  return {
    isConfirmed,
    request: async (caller) => signIn.requestFor(idOf(caller), await requireEmail(caller.userId)),

    async confirm(caller, code) {
      const email = await requireEmail(caller.userId);
      const outcome = await db.transaction(async (tx) => {
        const spent = await messages.spendCode(tx, { email, code, requestId: null, deviceId: idOf(caller) });
        if (spent === 'right') await noteConfirmed(tx, caller, now());
        return spent;
      });
      if (outcome === 'guessed' || outcome === 'paused') throw failure('sign_in.codes_paused');
      if (outcome !== 'right') throw failure('sign_in.code_wrong');
    },

    async require(caller, withinMs = FRESH_FOR_MS) {
      if (!(await isConfirmed(caller, withinMs))) throw failure('auth.confirmation_required');
    },
  };
}

const idOf = (caller: Caller): string => ('deviceId' in caller ? caller.deviceId : caller.sessionId);

async function readConfirmedAt(db: Database, caller: Caller): Promise<Date | null> {
  const [row] =
    'deviceId' in caller
      ? await db.select({ at: devices.confirmedAt }).from(devices).where(eq(devices.deviceId, caller.deviceId))
      : await db.select({ at: webSessions.confirmedAt }).from(webSessions).where(eq(webSessions.id, caller.sessionId));
  return row?.at ?? null;
}

async function noteConfirmed(tx: Database, caller: Caller, confirmedAt: Date): Promise<void> {
  if ('deviceId' in caller) await tx.update(devices).set({ confirmedAt }).where(eq(devices.deviceId, caller.deviceId));
  else await tx.update(webSessions).set({ confirmedAt }).where(eq(webSessions.id, caller.sessionId));
}
