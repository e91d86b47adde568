import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { linkCodes } from '../../db/tables.ts';

/**
 * Voids the account's open code, because a device that is signed out must not leave behind a code with which another
 * could join.
 */
export const forgetLinkCodes = (tx: Database, userId: string): Promise<unknown> =>
  tx.delete(linkCodes).where(and(eq(linkCodes.userId, userId), isNull(linkCodes.usedAt)));
