/** Limits how many sign-in messages an address gets per requester, and stops sending codes after too many wrong guesses. */
import { and, eq, gt, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { signIns } from '../../db/tables.ts';
import { rangesOf, type Requester } from './requester.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Messages to one address per requester in fifteen minutes. */
const MAX_PER_QUARTER_HOUR = 3;
/** Messages to one address per requester in a day. After that, one an hour. */
const MAX_PER_DAY = 10;
/**
 * Messages to one address from all strangers together in a day. After that, up to the second number for networks that have had none that
 * day, and one an hour for the others.
 */
const MAX_BY_STRANGERS_PER_DAY = 20;
const MAX_BY_NEW_STRANGERS_PER_DAY = 40;
/**
 * Messages to all addresses together from one unknown network. Those that led to a sign-in do not count, so that a school whose learners
 * all sign in on one morning stays below them; a stranger cannot use the messages of others.
 */
const MAX_BY_NETWORK_PER_HOUR = 300;
const MAX_BY_NETWORK_PER_DAY = 1_000;
/** Wrong codes per address from strangers, or per known requester, in a day. At this rate a guesser is right once in 50,000 attempts. */
const MAX_WRONG_GUESSES_PER_DAY = 20;
/** Wrong codes on the whole server in an hour. A thousand people who mistype stay below it. */
const MAX_WRONG_GUESSES_PER_HOUR = 200;
/**
 * Wrong codes of strangers in one network in an hour, so that one machine cannot pause the codes of the whole server. One in ten of a
 * school's 500 learners may mistype in the same hour; the others would have to open the link.
 */
const MAX_WRONG_GUESSES_BY_NETWORK_PER_HOUR = 50;
/**
 * Messages to strangers on the whole server. As above, those that led to a sign-in do not count. Past the first number, networks that have
 * requested none that day are still served, up to the second one.
 */
const MAX_TO_STRANGERS = {
  perHour: { all: 5_000, newNetworks: 10_000 },
  perDay: { all: 20_000, newNetworks: 40_000 },
};

export interface SignInLimits {
  /** Whether the requester's network has used up the messages to all addresses for now. The answer says nothing about an address. */
  isNetworkLimited: (tx: Database, requester: Requester) => Promise<boolean>;
  /** Whether strangers have used up the server's messages for now. The answer says nothing about an address. */
  isServerLimited: (tx: Database, requester: Requester) => Promise<boolean>;
  /** Whether the requester has used up the messages to this address for now. */
  isRateLimited: (tx: Database, email: string, requester: Requester) => Promise<boolean>;
  /** Whether so many codes were wrong that messages to this requester carry no code. */
  hasTooManyWrongGuesses: (tx: Database, email: string, requester: Requester) => Promise<boolean>;
  /** The circuit breaker: whether so many codes were wrong in the stranger's network, or on this server, that their codes are refused. */
  areCodesPaused: (tx: Database, stranger: Pick<Requester, 'key'>) => Promise<boolean>;
}

export function createSignInLimits({ now }: { now: () => Date }): SignInLimits {
  const within = (ms: number): SQL => gt(signIns.createdAt, new Date(now().getTime() - ms));
  // Access links have no requester and do not count.
  const requestedFor = (email: string) => and(eq(signIns.email, email), ne(signIns.requester, ''));
  const isIn = (prefix: string): SQL => sql`starts_with(${signIns.requester}, ${prefix})`;
  /** Messages that have led to no sign-in. */
  const countUnused = async (tx: Database, which: SQL | undefined): Promise<{ hour: number; day: number }> => {
    const [counted] = await tx
      .select({ hour: sql<string>`count(*) filter (where ${within(HOUR_MS)})`, day: sql<string>`count(*)` })
      .from(signIns)
      .where(and(which, isNull(signIns.usedAt), within(DAY_MS)));
    return { hour: Number(counted?.hour), day: Number(counted?.day) };
  };
  const count = (tx: Database, which: SQL | undefined): Promise<number> => tx.$count(signIns, which);
  const sumWrongGuesses = async (tx: Database, which: SQL | undefined): Promise<number> => {
    const [sum] = await tx
      .select({ guesses: sql<string>`coalesce(sum(${signIns.wrongGuesses}), 0)` })
      .from(signIns)
      .where(which);
    return Number(sum?.guesses ?? 0);
  };

  return {
    async isNetworkLimited(tx, { key, isKnown }) {
      if (isKnown) return false;
      for (const { prefix, allowance } of rangesOf(key)) {
        const { hour, day } = await countUnused(tx, isIn(prefix));
        if (hour >= allowance * MAX_BY_NETWORK_PER_HOUR || day >= allowance * MAX_BY_NETWORK_PER_DAY) return true;
      }
      return false;
    },

    async isServerLimited(tx, { key, isKnown }) {
      if (isKnown) return false;
      const { perHour, perDay } = MAX_TO_STRANGERS;
      const { hour, day } = await countUnused(tx, and(eq(signIns.isKnown, false), ne(signIns.requester, '')));
      if (hour < perHour.all && day < perDay.all) return false;
      if (hour >= perHour.newNetworks || day >= perDay.newNetworks) return true;
      return (await countUnused(tx, isIn(rangesOf(key)[0].prefix))).day > 0;
    },

    async isRateLimited(tx, email, { key, isKnown }) {
      // Many networks of one IPv6 site ask for messages to one address only to keep it from getting any.
      const isTheirs = isKnown ? eq(signIns.requester, key) : isIn(rangesOf(key)[0].prefix);
      const theirs = and(requestedFor(email), isTheirs);
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

    async areCodesPaused(tx, { key }) {
      if ((await sumWrongGuesses(tx, within(HOUR_MS))) >= MAX_WRONG_GUESSES_PER_HOUR) return true;
      const theirs = and(isIn(rangesOf(key)[0].prefix), within(HOUR_MS));
      return key !== '' && (await sumWrongGuesses(tx, theirs)) >= MAX_WRONG_GUESSES_BY_NETWORK_PER_HOUR;
    },
  };
}
