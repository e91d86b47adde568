/** Limits how many sign-in e-mails an address gets per requester, and stops sending codes after too many wrong guesses. */
import { and, eq, gt, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { signIns } from '../../db/tables.ts';
import type { Requester } from './requester.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** E-mails to one address per requester in fifteen minutes. */
const MAX_PER_QUARTER_HOUR = 3;
/** E-mails to one address per requester in a day. After that, one an hour. */
const MAX_PER_DAY = 10;
/**
 * E-mails to one address from all strangers together in a day. After that, networks that have had none that day get
 * one until the second number is reached, and everyone else one an hour.
 */
const MAX_BY_STRANGERS_PER_DAY = 20;
const MAX_BY_NEW_STRANGERS_PER_DAY = 40;
/**
 * E-mails to all addresses together from one unknown network. Above these numbers, only addresses with an account get
 * one. E-mails that led to a sign-in do not count, so that a school whose learners all sign in on one morning stays
 * below the limits, and a stranger cannot use up the e-mails of others.
 */
const MAX_BY_NETWORK_PER_HOUR = 300;
const MAX_BY_NETWORK_PER_DAY = 1_000;
/**
 * Wrong codes per address in a day, from strangers together or from a known requester. At this rate, a guesser is right
 * once in 50,000 attempts.
 */
const MAX_WRONG_GUESSES_PER_DAY = 20;
/**
 * Wrong codes from strangers in one network in an hour, so that one machine cannot pause the codes of the whole server.
 * Wrong codes that were followed by the right one do not count, so that a class may mistype.
 */
const MAX_WRONG_GUESSES_BY_NETWORK_PER_HOUR = 50;
/**
 * Wrong codes from strangers on the whole server in an hour. A network counts at most up to its own limit, so three
 * guessing networks stay below this one, even if they also guess at addresses of their own.
 */
const MAX_WRONG_GUESSES_PER_HOUR = 200;

const OVER_LIMIT = ' over-limit';

/**
 * Marks the requester of an e-mail that exceeds the limit of its network. Such e-mails do not count towards that limit, because a network
 * whose newcomers keep trying would never leave it.
 */
export const overLimit = (requesterKey: string): string => `${requesterKey}${OVER_LIMIT}`;

export interface SignInLimits {
  /** Whether the requester's network has used up the e-mails to all addresses for now. It says nothing about an address. */
  isNetworkLimited: (tx: Database, requester: Requester) => Promise<boolean>;
  /** Whether the requester has used up the e-mails to this address for now. */
  isRateLimited: (tx: Database, email: string, requester: Requester) => Promise<boolean>;
  /** Whether there were so many wrong codes that e-mails to this requester contain no code. */
  hasTooManyWrongGuesses: (tx: Database, email: string, requester: Requester) => Promise<boolean>;
  /**
   * The circuit breaker: whether there were so many wrong codes in a stranger's network, or on this server, that
   * strangers' codes are refused.
   */
  areCodesPaused: (tx: Database, strangerKey: string) => Promise<boolean>;
}

export function createSignInLimits({ now }: { now: () => Date }): SignInLimits {
  const within = (ms: number): SQL => gt(signIns.createdAt, new Date(now().getTime() - ms));
  // Access links have no requester and do not count.
  const requestedFor = (email: string) => and(eq(signIns.email, email), ne(signIns.requester, ''));
  const isRequestedBy = (key: string): SQL => inArray(signIns.requester, [key, overLimit(key)]);
  const count = (tx: Database, which: SQL | undefined): Promise<number> => tx.$count(signIns, which);
  const sumWrongGuesses = async (tx: Database, which: SQL | undefined): Promise<number> => {
    const [sum] = await tx
      .select({ guesses: sql<string>`coalesce(sum(${signIns.wrongGuesses}), 0)` })
      .from(signIns)
      .where(which);
    return Number(sum?.guesses ?? 0);
  };
  const sumWrongGuessesOfNetworks = async (tx: Database): Promise<number> => {
    const guesses = sql`least(sum(${signIns.wrongGuesses}), ${MAX_WRONG_GUESSES_BY_NETWORK_PER_HOUR})`.as('guesses');
    const networks = tx
      .select({ guesses })
      .from(signIns)
      .where(and(eq(signIns.isKnown, false), gt(signIns.wrongGuesses, 0), within(HOUR_MS)))
      .groupBy(sql`replace(${signIns.requester}, ${OVER_LIMIT}, '')`)
      .as('networks');
    const [sum] = await tx.select({ guesses: sql<string>`coalesce(sum(${networks.guesses}), 0)` }).from(networks);
    return Number(sum?.guesses ?? 0);
  };

  return {
    async isNetworkLimited(tx, { key, isKnown }) {
      if (isKnown) return false;
      const unused = and(eq(signIns.requester, key), isNull(signIns.usedAt));
      if ((await count(tx, and(unused, within(HOUR_MS)))) >= MAX_BY_NETWORK_PER_HOUR) return true;
      return (await count(tx, and(unused, within(DAY_MS)))) >= MAX_BY_NETWORK_PER_DAY;
    },

    async isRateLimited(tx, email, { key, isKnown }) {
      const theirs = and(requestedFor(email), isRequestedBy(key));
      const today = await count(tx, and(theirs, within(DAY_MS)));
      if ((await count(tx, and(theirs, within(15 * MINUTE_MS)))) >= MAX_PER_QUARTER_HOUR) return true;
      if (today >= MAX_PER_DAY && (await count(tx, and(theirs, within(HOUR_MS)))) > 0) return true;
      const strangers = and(requestedFor(email), eq(signIns.isKnown, false));
      const byStrangers = await count(tx, and(strangers, within(DAY_MS)));
      if (isKnown || byStrangers < MAX_BY_STRANGERS_PER_DAY) return false;
      if (byStrangers < MAX_BY_NEW_STRANGERS_PER_DAY && today === 0) return false;
      return (await count(tx, and(strangers, within(HOUR_MS)))) > 0;
    },

    hasTooManyWrongGuesses: async (tx, email, { key, isKnown }) => {
      const theirs = isKnown ? eq(signIns.requester, key) : eq(signIns.isKnown, false);
      return (await sumWrongGuesses(tx, and(requestedFor(email), theirs, within(DAY_MS)))) >= MAX_WRONG_GUESSES_PER_DAY;
    },

    async areCodesPaused(tx, strangerKey) {
      const theirs = and(isRequestedBy(strangerKey.replace(OVER_LIMIT, '')), isNull(signIns.usedAt), within(HOUR_MS));
      if ((await sumWrongGuesses(tx, theirs)) >= MAX_WRONG_GUESSES_BY_NETWORK_PER_HOUR) return true;
      return (await sumWrongGuessesOfNetworks(tx)) >= MAX_WRONG_GUESSES_PER_HOUR;
    },
  };
}
