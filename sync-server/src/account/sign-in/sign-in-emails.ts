/** Creates and spends sign-in e-mails, each with a code and a link. Work on one address is serialised. */
import { SIGN_IN_CODE_TTL_MS, MAX_SIGN_IN_CODE_ATTEMPTS } from '@parley/contract';
import { randomUUID } from 'node:crypto';
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { signIns } from '../../db/tables.ts';
import { createSignInLimits, DAY_MS, overLimit } from './sign-in-limits.ts';
import type { Requester } from './requester.ts';
import { hashSecret, isSameHash, keyedHash, generateSecret, generateSignInCode } from '../secrets.ts';

const LINK_LIFETIME_MS = 15 * 60_000;
const ACCESS_LINK_LIFETIME_MS = 7 * DAY_MS;
const NO_EMAIL = { id: randomUUID(), codeHash: hashSecret('no code'), linkHash: hashSecret('no link'), email: '' };

/**
 * Why an e-mail has no code: too many wrong guesses at this address, codes are paused in this network or on the whole server, or a browser
 * asked and browsers sign in by link.
 */
export type NoCodeReason = 'guessed' | 'paused' | 'browser';

export interface SignInEmail {
  id: string;
  code: string | null;
  /** Null when there is a code. */
  withoutCode: NoCodeReason | null;
  link: string;
}

/** The response to the requester, which is the same for all addresses. */
export interface SignInRequested {
  /** Known only to the app; the codes do not work without it. */
  requestId: string;
  /** Whether the network has reached the limit for all addresses, so that only an address with an account may get an e-mail. */
  isNetworkLimited: boolean;
}

export interface EmailRequest {
  email: string;
  requester: Requester;
  /** For an app, the id of the request that it continues, or null for a new one. A browser has no request. */
  request: { id: string | null } | 'browser';
}

export interface SignInEmails {
  /** `signInEmail` is null when this requester, or all strangers together, have reached the limit for this address. */
  createEmail: (tx: Database, request: EmailRequest) => Promise<SignInRequested & { signInEmail: SignInEmail | null }>;
  /** The link for a learner who was granted access: valid for days, without a code. */
  createAccessLink: (tx: Database, email: string) => Promise<{ id: string; link: string }>;
  /**
   * Commit the transaction in every case, because a wrong code uses up one of the request's attempts. `unbound`:
   * neither a request nor a device is named, as by older apps. `guessed` and `paused`: codes from strangers are refused
   * at this address, or in their network or on the whole server.
   */
  redeemCode: (tx: Database, asked: CodeGuess) => Promise<'right' | 'wrong' | 'guessed' | 'paused' | 'unbound'>;
  /** Null when the link is used, expired or unknown. */
  redeemLink: (tx: Database, link: string) => Promise<RedeemedLink | null>;
  /** The address to which the link was sent, if the link could be spent now. Spends nothing. */
  readEmailOfLink: (link: string) => Promise<string | null>;
  /** Spends every code and link that was sent to the address. Locks the address. */
  spendAll: (tx: Database, email: string) => Promise<void>;
}

export interface RedeemedLink {
  /** The address to which the link was sent. */
  email: string;
  /**
   * Whether the link, like a code, shows that the owner can read the address now. A link that grants access may have
   * been in a mailbox for days, or been forwarded.
   */
  isFresh: boolean;
}

export interface CodeGuess {
  email: string;
  code: string;
  requestId: string | null;
  /** The guessing device, if it sent a valid token. */
  deviceId: string | null;
}

/**
 * The lock lasts until the transaction ends and works across nodes, so that attempts and new accounts for one address
 * happen one after another. To avoid a deadlock, a caller that also locks a learner must lock the address first.
 */
export const lockAddress = (tx: Database, email: string): Promise<unknown> =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`address ${email}`}, 0))`);

export function createSignInEmails({
  db,
  now,
  secret,
}: {
  db: Database;
  now: () => Date;
  secret: string;
}): SignInEmails {
  const codeHash = (id: string, code: string): string => keyedHash(secret, `sign-in:${id}:${code}`);
  const after = (ms: number): Date => new Date(now().getTime() + ms);
  const openCodes = (email: string) =>
    and(eq(signIns.email, email), isNull(signIns.usedAt), gt(signIns.codeExpiresAt, now()));
  const usableCodes = (email: string) => and(openCodes(email), gt(signIns.triesLeft, 0));
  const usableLink = () => and(isNull(signIns.usedAt), gt(signIns.linkExpiresAt, now()));

  const limits = createSignInLimits({ now });
  const belongsToRequest = (requestId: string) => eq(signIns.requestHash, hashSecret(requestId));

  /** Using one e-mail spends all others for the address, including links that grant access. */
  const invalidateAll = (tx: Database, email: string): Promise<unknown> =>
    tx
      .update(signIns)
      .set({ usedAt: now() })
      .where(and(eq(signIns.email, email), isNull(signIns.usedAt)));

  async function add(
    tx: Database,
    row: Omit<typeof signIns.$inferInsert, 'linkHash' | 'usedAt' | 'createdAt'>,
  ): Promise<string> {
    const link = generateSecret();
    await tx.insert(signIns).values({ ...row, linkHash: hashSecret(link), usedAt: null, createdAt: now() });
    return link;
  }

  return {
    async createEmail(tx, { email, requester, request }) {
      const isNetworkLimited = await limits.isNetworkLimited(tx, requester);
      await lockAddress(tx, email);
      const continuedRequestId = request === 'browser' ? null : request.id;
      const open =
        continuedRequestId === null
          ? []
          : await tx
              .select({ triesLeft: signIns.triesLeft })
              .from(signIns)
              .where(and(openCodes(email), belongsToRequest(continuedRequestId)));
      const requestId = continuedRequestId !== null && open.length > 0 ? continuedRequestId : generateSecret();
      const isTooSoon = await limits.isRateLimited(tx, email, requester);
      const isGuessed = await limits.hasTooManyWrongGuesses(tx, email, requester);
      const isPaused = !requester.isKnown && (await limits.areCodesPaused(tx, requester.key));
      if (isTooSoon) return { requestId, isNetworkLimited, signInEmail: null };
      // Another e-mail must not give further attempts, not even after the last one.
      const triesLeft = Math.min(MAX_SIGN_IN_CODE_ATTEMPTS, ...open.map((row) => row.triesLeft));
      const withoutCode: NoCodeReason | null =
        request === 'browser' ? 'browser' : isGuessed || triesLeft === 0 ? 'guessed' : isPaused ? 'paused' : null;
      const id = randomUUID();
      const code = generateSignInCode();
      const link = await add(tx, {
        id,
        email,
        codeHash: codeHash(id, code),
        triesLeft: withoutCode === null ? triesLeft : 0,
        codeExpiresAt: after(SIGN_IN_CODE_TTL_MS),
        linkExpiresAt: after(LINK_LIFETIME_MS),
        requestHash: request === 'browser' ? null : hashSecret(requestId),
        deviceId: requester.deviceId,
        requester: isNetworkLimited ? overLimit(requester.key) : requester.key,
        isKnown: requester.isKnown,
      });
      const signInEmail = { id, code: withoutCode === null ? code : null, withoutCode, link };
      return { requestId, isNetworkLimited, signInEmail };
    },

    async createAccessLink(tx, email) {
      const id = randomUUID();
      const link = await add(tx, {
        id,
        email: email.toLowerCase(),
        codeHash: codeHash(id, generateSecret()),
        triesLeft: 0,
        codeExpiresAt: now(),
        linkExpiresAt: after(ACCESS_LINK_LIFETIME_MS),
      });
      return { id, link };
    },

    async redeemCode(tx, { email, code, requestId, deviceId }) {
      await lockAddress(tx, email);
      if (requestId === null && deviceId === null) return 'unbound';
      const theirs = requestId === null ? eq(signIns.deviceId, deviceId ?? '') : belongsToRequest(requestId);
      const candidates = await tx
        .select()
        .from(signIns)
        .where(and(usableCodes(email), theirs));
      const [first] = candidates;
      const guesser = { key: first?.requester ?? '', isKnown: first?.isKnown ?? false, deviceId };
      const isPaused = await limits.areCodesPaused(tx, guesser.key);
      const isGuessed = await limits.hasTooManyWrongGuesses(tx, email, guesser);
      // Does the same work when nothing was sent, and does not stop at the first match, so that timing reveals nothing.
      const matches = (candidates.length === 0 ? [NO_EMAIL] : candidates).filter((row) =>
        isSameHash(codeHash(row.id, code), row.codeHash),
      );
      if (isGuessed) return 'guessed';
      if (isPaused && !guesser.isKnown) return 'paused';
      if (candidates.length > 0 && matches.length > 0) {
        await invalidateAll(tx, email);
        return 'right';
      }
      await tx
        .update(signIns)
        .set({ triesLeft: sql`${signIns.triesLeft} - 1` })
        .where(and(usableCodes(email), theirs));
      // One guess could have matched any open code of the request, so it counts once per code.
      const [guessed] = candidates;
      await tx
        .update(signIns)
        .set({ wrongGuesses: sql`${signIns.wrongGuesses} + ${candidates.length}` })
        .where(eq(signIns.id, guessed?.id ?? NO_EMAIL.id));
      return 'wrong';
    },

    async redeemLink(tx, link) {
      const linkHash = hashSecret(link);
      const [known = NO_EMAIL] = await tx.select().from(signIns).where(eq(signIns.linkHash, linkHash));
      await lockAddress(tx, known.email);
      const [spent] = await tx
        .update(signIns)
        .set({ usedAt: now() })
        .where(and(eq(signIns.id, known.id), usableLink()))
        .returning();
      if (spent === undefined || !isSameHash(linkHash, known.linkHash)) return null;
      await invalidateAll(tx, spent.email);
      return { email: spent.email, isFresh: now().getTime() - spent.createdAt.getTime() < LINK_LIFETIME_MS };
    },

    async spendAll(tx, email) {
      await lockAddress(tx, email);
      await invalidateAll(tx, email);
    },

    async readEmailOfLink(link) {
      const [alive] = await db
        .select({ email: signIns.email })
        .from(signIns)
        .where(and(eq(signIns.linkHash, hashSecret(link)), usableLink()));
      return alive?.email ?? null;
    },
  };
}

/** Deletes e-mails once neither their code, their link nor the daily limit needs them. */
export async function deleteOldSignInEmails({ db, now }: { db: Database; now: () => Date }): Promise<number> {
  const before = new Date(now().getTime() - DAY_MS);
  const gone = await db
    .delete(signIns)
    .where(and(lt(signIns.createdAt, before), lt(signIns.linkExpiresAt, now())))
    .returning({ id: signIns.id });
  return gone.length;
}
