/**
 * Pokes that include the new rows, so that a listening device need not request them. They extend protocol 3 without
 * changing its messages: a server that does not know the header sends pokes with versions only. A test keeps their
 * fingerprint.
 */
import { LearnerId } from '@parley/domain';
import { z } from 'zod';
import { Poke, SyncEpoch, TableRows } from './messages.ts';

/** The request header with which a device asks for pokes with rows. */
export const POKE_ROWS_HEADER = 'parley-poke-rows';
export const POKE_ROWS_WANTED = 'wanted';

/**
 * All rows of the learner after one version, up to the poke's. Only a device at that earlier version is complete with
 * them.
 */
export const PokeRows = z.strictObject({
  epoch: SyncEpoch,
  userId: LearnerId,
  previousVersion: z.number().int().min(0),
  tables: z.array(TableRows),
});
export type PokeRows = z.infer<typeof PokeRows>;

export const PokeWithRows = Poke.extend({ rows: PokeRows.optional() });
export type PokeWithRows = z.infer<typeof PokeWithRows>;
