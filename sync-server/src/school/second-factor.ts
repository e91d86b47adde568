/** The authenticator app of an admin: time-based codes (RFC 6238), each of which works once. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { type Caller, forgetSecondFactor, recordAudit } from '../account/index.ts';
import { DomainError } from '../domain-error.ts';
import type { Database } from '../db/client.ts';
import { secondFactors } from '../db/school-tables.ts';
import { webSessions } from '../db/tables.ts';
import { readSchoolSettings } from './settings.ts';

/** The length of an admin's session. */
const LIFETIME_MS = 12 * 3_600_000;
const MAX_WRONG_CODES = 5;
const LOCK_MS = 15 * 60_000;
const PERIOD_S = 30;
/** A phone's clock may be off by one period. */
const WINDOW = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface SecondFactor {
  has: (userId: string) => Promise<boolean>;
  /**
   * Throws `auth.second_factor_required` when this admin has an authenticator app, or the school requires one, and no code was entered in
   * this browser.
   */
  require: (caller: Caller) => Promise<void>;
  setUp: (userId: string, label: string) => Promise<{ secret: string; address: string }>;
  /** Confirms a set-up, or enters a code in this browser. Throws `sign_in.code_wrong` and `sign_in.codes_paused`. */
  enter: (caller: Caller, code: string, as: 'confirm' | 'enter') => Promise<void>;
  remove: (caller: Caller) => Promise<void>;
}

export function createSecondFactor({
  db,
  now,
  secret,
}: {
  db: Database;
  now: () => Date;
  secret: string;
}): SecondFactor {
  const key = createHash('sha256').update(`second-factor:${secret}`).digest();
  const seal = (text: string): string => {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
  };
  /** Null if the server's `SECRET` has changed since. */
  const open = (sealed: string): string | null => {
    const bytes = Buffer.from(sealed, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const start = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
    try {
      return Buffer.concat([start, decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  };
  const totpOf = (base32: string, label = ''): TOTP =>
    new TOTP({ issuer: 'Parley', label, secret: Secret.fromBase32(base32), period: PERIOD_S });
  const find = async (tx: Database, userId: string) => {
    const [row] = await tx.select().from(secondFactors).where(eq(secondFactors.userId, userId));
    return row;
  };
  const has: SecondFactor['has'] = async (userId) => ((await find(db, userId))?.confirmedAt ?? null) !== null;

  const enteredAt = async (caller: Caller): Promise<Date | null> => {
    if (!('sessionId' in caller)) return null;
    const [session] = await db
      .select({ at: webSessions.secondFactorAt })
      .from(webSessions)
      .where(eq(webSessions.id, caller.sessionId));
    return session?.at ?? null;
  };

  return {
    has,

    async require(caller) {
      const hasOne = await has(caller.userId);
      if (!hasOne && !(await readSchoolSettings(db)).requiresSecondFactor) return;
      if (!hasOne) throw new DomainError('auth.second_factor_required', { detail: 'set_up' });
      const at = await enteredAt(caller);
      if (at === null || now().getTime() - at.getTime() >= LIFETIME_MS)
        throw new DomainError('auth.second_factor_required', { detail: 'enter' });
    },

    async setUp(userId, label) {
      if (await has(userId)) throw new DomainError('request.invalid', { detail: 'second_factor_exists' });
      const fresh = new Secret({ size: 20 }).base32;
      const row = { sealedSecret: seal(fresh), createdAt: now(), confirmedAt: null, lastUsedStep: 0, wrongCodes: 0 };
      await db
        .insert(secondFactors)
        .values({ userId, ...row })
        .onConflictDoUpdate({
          target: secondFactors.userId,
          set: row,
          setWhere: sql`${secondFactors.confirmedAt} is null`,
        });
      return { secret: fresh, address: totpOf(fresh, label).toString() };
    },

    async enter(caller, code, as) {
      if (!('sessionId' in caller)) throw new DomainError('auth.forbidden', { detail: 'browser' });
      const { userId, sessionId } = caller;
      const outcome = await db.transaction(async (tx) => {
        const [row] = await tx.select().from(secondFactors).where(eq(secondFactors.userId, userId)).for('update');
        if (row === undefined || (as === 'enter' && row.confirmedAt === null)) return 'wrong';
        const at = now();
        if (row.lockedUntil !== null && row.lockedUntil > at) return 'paused';
        const base32 = open(row.sealedSecret);
        if (base32 === null) return 'unreadable';
        const delta = totpOf(base32).validate({ token: code, timestamp: at.getTime(), window: WINDOW });
        const step = Math.floor(at.getTime() / 1_000 / PERIOD_S) + (delta ?? 0);
        if (delta === null || step <= row.lastUsedStep) {
          const wrongCodes = row.wrongCodes + 1;
          const lockedUntil = wrongCodes >= MAX_WRONG_CODES ? new Date(at.getTime() + LOCK_MS) : null;
          await tx
            .update(secondFactors)
            .set({ wrongCodes: lockedUntil === null ? wrongCodes : 0, lockedUntil })
            .where(eq(secondFactors.userId, userId));
          return 'wrong';
        }
        await tx
          .update(secondFactors)
          .set({ lastUsedStep: step, wrongCodes: 0, lockedUntil: null, confirmedAt: row.confirmedAt ?? at })
          .where(eq(secondFactors.userId, userId));
        await tx.update(webSessions).set({ secondFactorAt: at }).where(eq(webSessions.id, sessionId));
        if (row.confirmedAt === null)
          await recordAudit(tx, { at, actorId: userId, subjectId: userId, act: 'second_factor_added' });
        return 'right';
      });
      if (outcome === 'paused') throw new DomainError('sign_in.codes_paused', { detail: 'app_codes_paused' });
      if (outcome !== 'right') throw new DomainError('sign_in.code_wrong', { detail: `app_code_${outcome}` });
    },

    remove: ({ userId }) =>
      db.transaction((tx) => forgetSecondFactor(tx, { at: now(), actorId: userId, subjectId: userId })),
  };
}
