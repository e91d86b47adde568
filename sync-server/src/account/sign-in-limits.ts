/** How many messages to an address may be asked for by whom, and after how many wrong codes messages have none. */
import { and, eq, gt, ne, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/client.ts';
import { signIns } from '../db/tables.ts';
import type { Requester } from './sign-in-requester.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** By one requester. */
const MOST_IN_A_QUARTER = 3;
/** Then one an hour. */
const MOST_IN_A_DAY = 10;
/** By all strangers together. From then on to those who have had none that day, up to the second number, and one an hour. */
const MOST_BY_STRANGERS = 20;
const MOST_BY_NEW_STRANGERS = 40;
/** Of strangers at one address, or of one known requester: 1 in 50,000 to be right once. */
const MOST_WRONG_IN_A_DAY = 20;
/** On the whole server: a thousand people who mistype do not reach it within an hour. */
const MOST_WRONG_IN_AN_HOUR = 200;

export interface SignInLimits {
  /** Whether no message goes out now. */
  isTooSoon: (tx: Database, email: string, requester: Requester) => Promise<boolean>;
  /** Whether so many codes were wrong that a message to this requester has none. */
  isGuessed: (tx: Database, email: string, requester: Requester) => Promise<boolean>;
  /** The circuit breaker: whether so many codes were wrong on this server that those of strangers are not taken for now. */
  isPaused: (tx: Database) => Promise<boolean>;
}

export function createSignInLimits({ now }: { now: () => Date }): SignInLimits {
  const within = (ms: number): SQL => gt(signIns.createdAt, new Date(now().getTime() - ms));
  // A link that grants access was asked for by nobody.
  const to = (email: string) => and(eq(signIns.email, email), ne(signIns.requester, ''));
  const count = (tx: Database, which: SQL | undefined): Promise<number> => tx.$count(signIns, which);
  const wrong = async (tx: Database, which: SQL | undefined): Promise<number> => {
    const [sum] = await tx
      .select({ guesses: sql<string>`coalesce(sum(${signIns.wrongGuesses}), 0)` })
      .from(signIns)
      .where(which);
    return Number(sum?.guesses ?? 0);
  };

  return {
    async isTooSoon(tx, email, { key, isKnown }) {
      const theirs = and(to(email), eq(signIns.requester, key));
      const today = await count(tx, and(theirs, within(DAY_MS)));
      if ((await count(tx, and(theirs, within(15 * MINUTE_MS)))) >= MOST_IN_A_QUARTER) return true;
      if (today >= MOST_IN_A_DAY && (await count(tx, and(theirs, within(HOUR_MS)))) > 0) return true;
      const strangers = and(to(email), eq(signIns.isKnown, false));
      const byStrangers = await count(tx, and(strangers, within(DAY_MS)));
      if (isKnown || byStrangers < MOST_BY_STRANGERS) return false;
      if (byStrangers < MOST_BY_NEW_STRANGERS && today === 0) return false;
      return (await count(tx, and(strangers, within(HOUR_MS)))) > 0;
    },

    isGuessed: async (tx, email, { key, isKnown }) => {
      const theirs = isKnown ? eq(signIns.requester, key) : eq(signIns.isKnown, false);
      return (await wrong(tx, and(to(email), theirs, within(DAY_MS)))) >= MOST_WRONG_IN_A_DAY;
    },

    isPaused: async (tx) => (await wrong(tx, within(HOUR_MS))) >= MOST_WRONG_IN_AN_HOUR,
  };
}
