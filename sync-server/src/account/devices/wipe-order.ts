import type { devices } from '../../db/tables.ts';

/** The part of the response to a signed-out device that orders it to delete the account's data; undefined if there is no order. */
export const orderFor = ({
  wipeKey,
  wipeRequestedAt,
  wipedAt,
}: typeof devices.$inferSelect): { wipeKey: string } | undefined =>
  wipeKey !== null && wipeRequestedAt !== null && wipedAt === null ? { wipeKey } : undefined;
