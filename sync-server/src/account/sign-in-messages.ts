/** Messages with a code and a link: how many an address may get, and how each is spent. Of one address, one at a time. */
import { SIGN_IN_CODE_LIFE_MS, SIGN_IN_CODE_TRIES } from '@parley/contract';
import { randomUUID } from 'node:crypto';
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { signIns } from '../db/tables.ts';
import { hashSecret, isSameHash, keyedHash, newSecret, newSignInCode } from './tokens.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const LINK_LIFE_MS = 15 * MINUTE_MS;
const ACCESS_LINK_LIFE_MS = 7 * DAY_MS;
const MOST_IN_A_QUARTER = 3;
/** Then one an hour: anybody may ask for any address, and must not keep its owner out. */
const MOST_IN_A_DAY_AT_ONCE = 10;
const NOBODY = { id: randomUUID(), codeHash: hashSecret('no code'), linkHash: hashSecret('no link'), email: '' };

export interface SignInMessages {
  /** Null: the address has had as many as it may for now. A code of null: too many were guessed wrong, so that only the link opens. */
  write: (tx: Database, email: string) => Promise<{ id: string; code: string | null; link: string } | null>;
  /** For who is let in: a link that holds for days, and no code. */
  writeAccessLink: (tx: Database, email: string) => Promise<{ id: string; link: string }>;
  /** A wrong one costs each code of the address a try: commit in either case. */
  spendCode: (tx: Database, asked: { email: string; code: string }) => Promise<boolean>;
  /** The address that it went to; null for one that was used, is too old, or never was. */
  spendLink: (tx: Database, link: string) => Promise<string | null>;
  /** The address that it went to, if it could be spent now; spends nothing. */
  whoseLink: (link: string) => Promise<string | null>;
}

/** Held to the end of the transaction, on every node: neither a try nor a new account of one address overtakes another. */
const lockAddress = (tx: Database, email: string): Promise<unknown> =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`address ${email}`}, 0))`);

export function createSignInMessages({
  db,
  now,
  secret,
}: {
  db: Database;
  now: () => Date;
  secret: string;
}): SignInMessages {
  const codeHash = (id: string, code: string): string => keyedHash(secret, `sign-in:${id}:${code}`);
  const after = (ms: number): Date => new Date(now().getTime() + ms);
  const openCodes = (email: string) =>
    and(eq(signIns.email, email), isNull(signIns.usedAt), gt(signIns.codeExpiresAt, now()));
  const liveCodes = (email: string) => and(openCodes(email), gt(signIns.triesLeft, 0));
  const liveLink = () => and(isNull(signIns.usedAt), gt(signIns.linkExpiresAt, now()));

  async function isTooSoon(tx: Database, email: string): Promise<boolean> {
    const sentWithin = (ms: number): Promise<number> =>
      tx.$count(signIns, and(eq(signIns.email, email), gt(signIns.createdAt, after(-ms))));
    if ((await sentWithin(15 * MINUTE_MS)) >= MOST_IN_A_QUARTER) return true;
    return (await sentWithin(DAY_MS)) >= MOST_IN_A_DAY_AT_ONCE && (await sentWithin(HOUR_MS)) > 0;
  }

  async function add(
    tx: Database,
    row: Omit<typeof signIns.$inferInsert, 'linkHash' | 'usedAt' | 'createdAt'>,
  ): Promise<string> {
    const link = newSecret();
    await tx.insert(signIns).values({ ...row, linkHash: hashSecret(link), usedAt: null, createdAt: now() });
    return link;
  }

  return {
    async write(tx, email) {
      await lockAddress(tx, email);
      if (await isTooSoon(tx, email)) return null;
      // Another message is no way to more guesses, not even after the last one.
      const open = await tx.select({ triesLeft: signIns.triesLeft }).from(signIns).where(openCodes(email));
      const triesLeft = Math.min(SIGN_IN_CODE_TRIES, ...open.map((row) => row.triesLeft));
      const id = randomUUID();
      const code = newSignInCode();
      const link = await add(tx, {
        id,
        email,
        codeHash: codeHash(id, code),
        triesLeft,
        codeExpiresAt: after(SIGN_IN_CODE_LIFE_MS),
        linkExpiresAt: after(LINK_LIFE_MS),
      });
      return { id, code: triesLeft > 0 ? code : null, link };
    },

    async writeAccessLink(tx, email) {
      const id = randomUUID();
      const link = await add(tx, {
        id,
        email,
        codeHash: codeHash(id, newSecret()),
        triesLeft: 0,
        codeExpiresAt: now(),
        linkExpiresAt: after(ACCESS_LINK_LIFE_MS),
      });
      return { id, link };
    },

    async spendCode(tx, { email, code }) {
      await lockAddress(tx, email);
      const alive = await tx.select().from(signIns).where(liveCodes(email));
      // As much work where nothing was sent, and no end at the first that fits.
      const fitting = (alive.length === 0 ? [NOBODY] : alive).filter((row) =>
        isSameHash(codeHash(row.id, code), row.codeHash),
      );
      const right = fitting[0]?.id;
      const touched = await tx
        .update(signIns)
        .set(right === undefined ? { triesLeft: sql`${signIns.triesLeft} - 1` } : { usedAt: now() })
        .where(and(liveCodes(email), right === undefined ? undefined : eq(signIns.id, right)))
        .returning({ id: signIns.id });
      return right !== undefined && touched.length > 0;
    },

    async spendLink(tx, link) {
      const linkHash = hashSecret(link);
      const [known = NOBODY] = await tx.select().from(signIns).where(eq(signIns.linkHash, linkHash));
      await lockAddress(tx, known.email);
      const [spent] = await tx
        .update(signIns)
        .set({ usedAt: now() })
        .where(and(eq(signIns.id, known.id), liveLink()))
        .returning();
      return isSameHash(linkHash, known.linkHash) ? (spent?.email ?? null) : null;
    },

    async whoseLink(link) {
      const [alive] = await db
        .select({ email: signIns.email })
        .from(signIns)
        .where(and(eq(signIns.linkHash, hashSecret(link)), liveLink()));
      return alive?.email ?? null;
    },
  };
}

/** Once neither counts any more: no code, no link, and no message of the day. */
export async function forgetOldMessages({ db, now }: { db: Database; now: () => Date }): Promise<number> {
  const before = new Date(now().getTime() - DAY_MS);
  const gone = await db
    .delete(signIns)
    .where(and(lt(signIns.createdAt, before), lt(signIns.linkExpiresAt, now())))
    .returning({ id: signIns.id });
  return gone.length;
}
