/**
 * Gives work that is parked for an erased account to the next account of the same address. Signing in to that account,
 * here or on the device that issued the link code, has proved whose work it is.
 */
import { LearnerId } from '@parley/domain';
import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import type { Logger } from '../../logger.ts';
import { type ServerClient, toFailure } from '../../server/index.ts';
import { knownAccount, outbox, rebuildWords, rejectedChanges, type Store, users } from '../../store/index.ts';
import { moveDeviceRows, restoreParkedChanges } from './adopt-account.ts';
import { listParkedFor, showParkedRows } from './parked-rows.ts';
import { renameParkedRows } from './rename-rows.ts';

/** Call this after a pull, which brings the address of the account. Returns whether there is something to push. */
export async function takeOverErasedAccounts(
  client: ServerClient,
  { store, logger }: { store: Store; logger: Logger },
): Promise<boolean> {
  const { userId: to } = store.identity();
  const former = listFormerAccounts(store);
  if (former.length === 0) return false;
  try {
    // The address may merely have been corrected, and the account that had it may still be in use.
    const { userIds: erased } = await client.account.erased({ userIds: former });
    for (const from of erased) takeOver(store, { from, to });
    // The other accounts have another address by now. If they are erased later, their work does not belong to the
    // learner who has this address.
    store.db.delete(knownAccount).where(inArray(knownAccount.userId, former)).run();
    return erased.length > 0;
  } catch (error) {
    // Older servers cannot tell. The work stays parked until the next pull.
    logger.warn({ code: toFailure(error).code }, 'erased_accounts_not_taken_over');
    return false;
  }
}

/** The accounts that had the current account's address when they were last used here. */
function listFormerAccounts({ db, identity }: Store): LearnerId[] {
  const { userId } = identity();
  const address = db.select({ email: users.email }).from(users).where(eq(users.userId, userId));
  return db
    .select({ userId: knownAccount.userId })
    .from(knownAccount)
    .where(and(ne(knownAccount.userId, userId), sql`${knownAccount.account} ->> 'email' = (${address})`))
    .all()
    .map((row) => LearnerId.parse(row.userId));
}

function takeOver(store: Store, { from, to }: { from: LearnerId; to: LearnerId }): void {
  const { db } = store;
  store.transaction(() => {
    // The whole rows are sent in place of the changes to them that the server had refused.
    const parked = db
      .select({ rowId: outbox.rowId })
      .from(outbox)
      .where(and(eq(outbox.parkedFor, from), eq(outbox.creates, true)));
    db.delete(rejectedChanges)
      .where(and(eq(rejectedChanges.userId, from), inArray(rejectedChanges.rowId, parked)))
      .run();
    renameParkedRows(store, { from, to });
    moveDeviceRows(store, from, to);
    const positions = listParkedFor(store, from);
    restoreParkedChanges(store, from);
    showParkedRows(store, positions);
    rebuildWords(store);
  });
}
