/** Chooses the rows that the response of a push contains and those that a poke brings to other devices. */
import type { MutationOutcome, TableRows } from '@parley/contract';
import { type EntityKey, entityKeyByTable } from '@parley/domain';
import type { ParsedPush } from '../parse-request.ts';
import type { SpokenProtocol } from '../protocol-version.ts';
import { bytesOfRows, keysOf, type Reader, readRows, tableRows, toTableRows } from '../rows/wire-rows.ts';
import type { Batch } from './batch.ts';
import type { PushTransaction } from './statements/merged-statements.ts';
import type { Values } from './parse-change.ts';
import { addId, type RowIds } from './row-ids.ts';

/** The byte limit of a response's rows. A change of a few bytes can return a row of several hundred thousand. */
export const MAX_RESPONSE_BYTES: number = 16 * 1_048_576;
/**
 * Responses with at most this many rows are not measured; the push of a single turn returns one. In protocol 2, a
 * session contains its whole conversation.
 */
const UNCHECKED_ROWS: Readonly<Record<SpokenProtocol, number>> = { 3: 16, 2: 1 };
/** The byte limit of rows that are sent with a poke. Each slow listener keeps them in memory. */
export const MAX_POKE_BYTES = 16_384;

const OWN_KEYS: ReadonlySet<EntityKey> = new Set(keysOf('learner'));

/** The response's rows exceed its size limit. */
export class ResponseTooLarge extends Error {}

/**
 * Returns the rows to include in the response: those that differ from what the device sent, and those that the server
 * changed in addition. For a replayed change, only the outcome is repeated.
 */
export function differingRows(
  { mutations }: ParsedPush,
  { outcomes, touched }: { outcomes: readonly MutationOutcome[]; touched: RowIds },
): Map<EntityKey, string[]> {
  const idsByKey: RowIds = new Map();
  mutations.forEach(({ table, rowId }, index) => {
    const status = outcomes[index]?.status;
    const key = entityKeyByTable.get(table);
    if (key === undefined || !OWN_KEYS.has(key) || status === undefined || status === 'applied') return;
    addId(idsByKey, key, rowId);
  });
  for (const [key, ids] of touched) for (const id of ids) addId(idsByKey, key, id);
  return new Map([...idsByKey].map(([key, ids]) => [key, [...ids]]));
}

export async function requireSmallResponse(
  transaction: PushTransaction,
  reader: Reader,
  idsByKey: ReadonlyMap<EntityKey, readonly string[]>,
  { mutations }: ParsedPush,
): Promise<void> {
  const count = [...idsByKey.values()].reduce((sum, ids) => sum + ids.length, 0);
  if (mutations.length <= 1 || count <= UNCHECKED_ROWS[reader.protocol]) return;
  if ((await transaction.use((tx) => bytesOfRows(tx, reader, idsByKey))) > MAX_RESPONSE_BYTES)
    throw new ResponseTooLarge();
}

/**
 * Returns those of these rows that belong to the owner. If the batch has all of them, this saves a statement. Protocol
 * 2 expects columns that are only in the database.
 */
export async function readResponseRows(
  transaction: PushTransaction,
  { batch, ...reader }: Reader & { owner: string; batch: Batch | null },
  idsByKey: ReadonlyMap<EntityKey, readonly string[]>,
): Promise<TableRows[]> {
  const { owner, protocol } = reader;
  const isInBatch = [...idsByKey].every(([key, ids]) => ids.every((id) => batch?.isKnown(key, id)));
  if (idsByKey.size === 0) return [];
  if (batch === null || !isInBatch || protocol === 2)
    return tableRows(await transaction.use((tx) => readRows(tx, reader, idsByKey)), protocol);
  return toTables(
    [...idsByKey].map(([key, ids]) => [key, rowsOf(batch, key, ids)]),
    owner,
  );
}

/** Returns all rows that a push has changed, or null if they are too large for a poke. */
export function pokeTables(batch: Batch, owner: string): TableRows[] | null {
  const changed = [...batch.changedIds()].filter(([key]) => OWN_KEYS.has(key));
  const poke = toTables(
    changed.map(([key, ids]) => [key, rowsOf(batch, key, ids)]),
    owner,
  );
  return Buffer.byteLength(JSON.stringify(poke)) > MAX_POKE_BYTES ? null : poke;
}

const rowsOf = (batch: Batch, key: EntityKey, ids: Iterable<string>): Values[] =>
  [...ids].map((id) => batch.row(key, id)).filter((row) => row !== undefined);

function toTables(rowsByKey: readonly [key: EntityKey, rows: readonly Values[]][], owner: string): TableRows[] {
  return rowsByKey.flatMap(([key, rows]) => {
    const own = rows.filter((row) => row['userId'] === owner);
    return own.length === 0 ? [] : [toTableRows(key, own)];
  });
}
