/** Holds the rows that a batch of changes concerns: read once, changed in memory, written once. */
import { ENTITY_KEYS, type EntityKey } from '@parley/domain';
import type { Database } from '../../db/client.ts';
import type { Values } from './parse-change.ts';
import { rowBytes } from '../storage-quota/storage-quota.ts';
import { loadRows, storeRows } from '../rows/stored-rows.ts';

/** Versions of rows before this push, by `key id`; the device has already seen what its own push makes of a row. */
export type VersionsBefore = Map<string, number>;

export type RowIds = Map<EntityKey, Set<string>>;

export const addId = (ids: RowIds, key: EntityKey, id: string): void => {
  ids.set(key, (ids.get(key) ?? new Set()).add(id));
};

export class Batch {
  readonly #rowsByKey = new Map<EntityKey, Map<string, Values>>();
  readonly #written = new Map<EntityKey, Map<string, Values>>();
  readonly #versionsBefore: VersionsBefore;
  readonly byServer: RowIds = new Map();
  /** The number of turns per session that are not deleted. */
  readonly turnCounts: Map<string, number> = new Map();
  /** Catalogue rows that changes refer to and that exist. */
  readonly catalogueIds: RowIds = new Map();
  readonly #loaded = new Map<string, Values>();
  /** Rows that the database was asked for, so that a row that does not exist is looked up only once. */
  readonly #asked: RowIds = new Map();

  constructor(versionsBefore: VersionsBefore) {
    this.#versionsBefore = versionsBefore;
  }

  async load(tx: Database, idsByKey: ReadonlyMap<EntityKey, ReadonlySet<string>>): Promise<void> {
    for (const [key, ids] of idsByKey) {
      const missing = [...ids].filter((id) => !this.#rowsOf(key).has(id) && this.#asked.get(key)?.has(id) !== true);
      if (missing.length === 0) continue;
      for (const id of missing) addId(this.#asked, key, id);
      this.add(key, await loadRows(tx, key, missing));
    }
  }

  /** Adds rows as the database has them, without replacing rows that are already loaded. */
  add(key: EntityKey, rows: ReadonlyMap<string, Values>): void {
    const known = this.#rowsOf(key);
    for (const [id, row] of rows) {
      const name = `${key} ${id}`;
      if (!this.#versionsBefore.has(name)) this.#versionsBefore.set(name, Number(row['syncVersion']));
      if (known.has(id)) continue;
      known.set(id, row);
      this.#loaded.set(name, row);
    }
  }

  /** Returns the row as the database has it, or undefined. */
  loaded(key: EntityKey, id: string): Values | undefined {
    return this.#loaded.get(`${key} ${id}`);
  }

  row(key: EntityKey, id: string): Values | undefined {
    return this.#rowsOf(key).get(id);
  }

  /** Returns undefined when the row did not exist. */
  versionBefore(key: EntityKey, id: string): number | undefined {
    return this.#versionsBefore.get(`${key} ${id}`);
  }

  rows(key: EntityKey): Iterable<Values> {
    return this.#rowsOf(key).values();
  }

  put(key: EntityKey, id: string, row: Values): void {
    this.#rowsOf(key).set(id, row);
    const written = this.#written.get(key) ?? new Map<string, Values>();
    this.#written.set(key, written.set(id, row));
  }

  /** Writes a row that the server changed beyond what the device sent, so that the response includes it. */
  putByServer(key: EntityKey, id: string, row: Values): void {
    this.put(key, id, row);
    addId(this.byServer, key, id);
  }

  written(key: EntityKey): ReadonlyMap<string, Values> {
    return this.#written.get(key) ?? new Map<string, Values>();
  }

  /** The number of bytes of the rows that this batch has written so far, and by how many they grew. */
  countBytes(): { written: number; added: number } {
    const bytes = { written: 0, added: 0 };
    for (const [key, rows] of this.#written)
      for (const [id, row] of rows) {
        const written = rowBytes(key, row);
        bytes.written += written;
        bytes.added += written - rowBytes(key, this.loaded(key, id));
      }
    return bytes;
  }

  /** Entities are stored in the order of their declaration, so that parents precede the rows that reference them. */
  async store(tx: Database): Promise<void> {
    for (const key of ENTITY_KEYS) {
      const rows = this.written(key);
      if (rows.size > 0) await storeRows(tx, key, [...rows.values()]);
    }
  }

  #rowsOf(key: EntityKey): Map<string, Values> {
    const rows = this.#rowsByKey.get(key) ?? new Map<string, Values>();
    this.#rowsByKey.set(key, rows);
    return rows;
  }
}
