import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../db/client.ts';
import { linkCodes } from '../../db/tables.ts';

/** Voids the account's open code. A device that is signed out must not leave a code behind with which another could join. */
export const forgetLinkCodes = (tx: Database, userId: string): Promise<unknown> =>
  tx.delete(linkCodes).where(and(eq(linkCodes.userId, userId), isNull(linkCodes.usedAt)));
