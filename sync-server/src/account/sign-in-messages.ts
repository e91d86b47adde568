/** Messages with a code and a link, and how each is spent. Of one address, one at a time. */
import { SIGN_IN_CODE_LIFE_MS, SIGN_IN_CODE_TRIES } from '@parley/contract';
import { randomUUID } from 'node:crypto';
import { and, eq, gt, isNull, lt, ne, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { signIns } from '../db/tables.ts';
import { createSignInLimits, DAY_MS } from './sign-in-limits.ts';
import type { Requester } from './sign-in-requester.ts';
import { hashSecret, isSameHash, keyedHash, newSecret, newSignInCode } from './tokens.ts';

const LINK_LIFE_MS = 15 * 60_000;
const ACCESS_LINK_LIFE_MS = 7 * DAY_MS;
const NOBODY = { id: randomUUID(), codeHash: hashSecret('no code'), linkHash: hashSecret('no link'), email: '' };

/** Why a message has no code: too many were wrong, for this address or on the whole server, or a browser asked, which takes none. */
export type WithoutCode = 'guessed' | 'paused' | 'browser';

export interface SignInMessage {
  id: string;
  code: string | null;
  /** Null when it has one. */
  withoutCode: WithoutCode | null;
  link: string;
}

export interface MessageWish {
  email: string;
  requester: Requester;
  /** Of an app, the request that it goes on with; null: a new one. Of a browser: none. */
  request: { id: string | null } | 'browser';
}

export interface SignInMessages {
  /**
   * `requestId` is the app's alone, and its codes are worth nothing without it. No message: this requester, or all strangers, have had as many
   * for this address as they may for now.
   */
  write: (tx: Database, wish: MessageWish) => Promise<{ requestId: string; message: SignInMessage | null }>;
  /** For who is let in: a link that holds for days, and no code. */
  writeAccessLink: (tx: Database, email: string) => Promise<{ id: string; link: string }>;
  /**
   * A wrong one costs the request a try: commit in any case. `unbound`: neither a request nor a device is named, as by apps of before.
   * `guessed`, `paused`: too many were wrong, for this address or on the whole server, to take those of strangers.
   */
  spendCode: (tx: Database, asked: CodeGuess) => Promise<'right' | 'wrong' | 'guessed' | 'paused' | 'unbound'>;
  /** The address that it went to; null for one that was used, is too old, or never was. */
  spendLink: (tx: Database, link: string) => Promise<string | null>;
  /** The address that it went to, if it could be spent now; spends nothing. */
  whoseLink: (link: string) => Promise<string | null>;
}

export interface CodeGuess {
  email: string;
  code: string;
  requestId: string | null;
  /** The device that guesses, where it proved to be one. */
  deviceId: string | null;
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

  const limits = createSignInLimits({ now });
  const ofRequest = (requestId: string) => eq(signIns.requestHash, hashSecret(requestId));

  /** One is used: none of the address's other messages is good for anything any more. A link that grants access stays. */
  const spendAll = (tx: Database, email: string): Promise<unknown> =>
    tx
      .update(signIns)
      .set({ usedAt: now() })
      .where(and(eq(signIns.email, email), isNull(signIns.usedAt), ne(signIns.requester, '')));

  async function add(
    tx: Database,
    row: Omit<typeof signIns.$inferInsert, 'linkHash' | 'usedAt' | 'createdAt'>,
  ): Promise<string> {
    const link = newSecret();
    await tx.insert(signIns).values({ ...row, linkHash: hashSecret(link), usedAt: null, createdAt: now() });
    return link;
  }

  return {
    async write(tx, { email, requester, request }) {
      await lockAddress(tx, email);
      const former = request === 'browser' ? null : request.id;
      const open =
        former === null
          ? []
          : await tx
              .select({ triesLeft: signIns.triesLeft })
              .from(signIns)
              .where(and(openCodes(email), ofRequest(former)));
      const requestId = former !== null && open.length > 0 ? former : newSecret();
      const isTooSoon = await limits.isTooSoon(tx, email, requester);
      const isGuessed = await limits.isGuessed(tx, email, requester);
      const isPaused = !requester.isKnown && (await limits.isPaused(tx));
      if (isTooSoon) return { requestId, message: null };
      // Another message is no way to more guesses, not even after the last one.
      const triesLeft = Math.min(SIGN_IN_CODE_TRIES, ...open.map((row) => row.triesLeft));
      const withoutCode: WithoutCode | null =
        request === 'browser' ? 'browser' : isGuessed || triesLeft === 0 ? 'guessed' : isPaused ? 'paused' : null;
      const id = randomUUID();
      const code = newSignInCode();
      const link = await add(tx, {
        id,
        email,
        codeHash: codeHash(id, code),
        triesLeft: withoutCode === null ? triesLeft : 0,
        codeExpiresAt: after(SIGN_IN_CODE_LIFE_MS),
        linkExpiresAt: after(LINK_LIFE_MS),
        requestHash: request === 'browser' ? null : hashSecret(requestId),
        deviceId: requester.deviceId,
        requester: requester.key,
        isKnown: requester.isKnown,
      });
      return { requestId, message: { id, code: withoutCode === null ? code : null, withoutCode, link } };
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

    async spendCode(tx, { email, code, requestId, deviceId }) {
      await lockAddress(tx, email);
      if (requestId === null && deviceId === null) return 'unbound';
      const theirs = requestId === null ? eq(signIns.deviceId, deviceId ?? '') : ofRequest(requestId);
      const alive = await tx
        .select()
        .from(signIns)
        .where(and(liveCodes(email), theirs));
      const [first] = alive;
      const guesser = { key: first?.requester ?? '', isKnown: first?.isKnown ?? false, deviceId };
      const isPaused = await limits.isPaused(tx);
      const isGuessed = await limits.isGuessed(tx, email, guesser);
      // As much work where nothing was sent, and no end at the first that fits.
      const fitting = (alive.length === 0 ? [NOBODY] : alive).filter((row) =>
        isSameHash(codeHash(row.id, code), row.codeHash),
      );
      if (isGuessed) return 'guessed';
      if (isPaused && !guesser.isKnown) return 'paused';
      if (alive.length > 0 && fitting.length > 0) {
        await spendAll(tx, email);
        return 'right';
      }
      await tx
        .update(signIns)
        .set({ triesLeft: sql`${signIns.triesLeft} - 1` })
        .where(and(liveCodes(email), theirs));
      // One guess, of which each of the request's codes was a chance.
      const [guessed] = alive;
      await tx
        .update(signIns)
        .set({ wrongGuesses: sql`${signIns.wrongGuesses} + ${alive.length}` })
        .where(eq(signIns.id, guessed?.id ?? NOBODY.id));
      return 'wrong';
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
      if (spent === undefined || !isSameHash(linkHash, known.linkHash)) return null;
      await spendAll(tx, spent.email);
      return spent.email;
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
