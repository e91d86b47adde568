/**
 * Limits what accounts without an address store together, because anyone can register them without end: per network and day on this node, and
 * on the whole server. While neither limit is reached, which is always so on an honest day, a push costs no statement more.
 */
import { eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { syncScopes, tables } from '../../db/tables.ts';

export interface AnonymousStorageLimits {
  /** By how much all accounts of a network may grow in a day before those without an address have to wait. */
  bytesPerNetworkAndDay: number;
  /** What all accounts without an address may store. */
  totalBytes: number;
}

/**
 * A learner's practice takes 10 to 110 kB, three times a day at most a third of a megabyte, so 500 learners behind one address store 165 MB a
 * day. The rest is for those who were offline for months. In total, a year of daily practice takes 44 MB, so there is room for 2,000 learners.
 */
export const ANONYMOUS_STORAGE_LIMITS: AnonymousStorageLimits = {
  bytesPerNetworkAndDay: 1_000_000_000,
  totalBytes: 100_000_000_000,
};

const DAY_MS = 24 * 3_600_000;
/** Reading the total takes a second on a server with a million accounts. */
const TOTAL_INTERVAL_MS = 10 * 60_000;
/** A flood from more networks than this in a day is remembered for the first ones. */
const MAX_NETWORKS = 50_000;

export interface AnonymousStorage {
  /** Whether the account may add to what it stores now. Always true for an account with an address. */
  hasRoomFor: (account: { userId: string; network: string }) => Promise<boolean>;
  recordGrowth: (network: string, bytes: number) => void;
}

export interface AnonymousStorageParts {
  db: Database;
  now: () => Date;
  limits: AnonymousStorageLimits;
  /** Called when the total has been read and is above the limit. */
  onFull: (totalBytes: number) => void;
  onFailure: (error: unknown) => void;
}

export function createAnonymousStorage(parts: AnonymousStorageParts): AnonymousStorage {
  const { db, now, limits, onFull, onFailure } = parts;
  const { users } = tables;
  let day = 0;
  let bytesByNetwork = new Map<string, number>();
  let totalReadAtMs = now().getTime();
  let isServerFull = false;

  function ofToday(): Map<string, number> {
    const today = Math.floor(now().getTime() / DAY_MS);
    if (today !== day) bytesByNetwork = new Map();
    day = today;
    return bytesByNetwork;
  }

  async function readTotal(): Promise<void> {
    const [stored] = await db
      .select({ bytes: sql<string>`coalesce(sum(${syncScopes.storedBytes}), 0)` })
      .from(users)
      .innerJoin(syncScopes, eq(syncScopes.scope, sql`'user:' || ${users.userId}`))
      .where(isNull(users.email));
    const totalBytes = Number(stored?.bytes ?? 0);
    isServerFull = totalBytes >= limits.totalBytes;
    if (isServerFull) onFull(totalBytes);
  }

  /** In the background, because no request waits for it. */
  function refreshTotal(): void {
    const nowMs = now().getTime();
    if (nowMs - totalReadAtMs < TOTAL_INTERVAL_MS) return;
    totalReadAtMs = nowMs;
    void readTotal().catch(onFailure);
  }

  return {
    async hasRoomFor({ userId, network }) {
      refreshTotal();
      const isNetworkFull = (ofToday().get(network) ?? 0) >= limits.bytesPerNetworkAndDay;
      if (!isNetworkFull && !isServerFull) return true;
      const [user] = await db.select({ email: users.email }).from(users).where(eq(users.userId, userId));
      return user !== undefined && user.email !== null;
    },
    recordGrowth(network, bytes) {
      const grown = ofToday();
      if (bytes > 0 && (grown.has(network) || grown.size < MAX_NETWORKS))
        grown.set(network, (grown.get(network) ?? 0) + bytes);
    },
  };
}
