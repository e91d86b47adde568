/** Holds the rows affected by a batch of changes: read once, changed in memory, written once. */
import type { EntityKey } from '@parley/domain';
import type { Values } from './parse-change.ts';
import { rowBytes } from '../storage-quota/storage-quota.ts';
import { type AskedRows, LOAD_ROWS, type TurnTotals } from './statements/load-statement.ts';
import type { PushTransaction } from './statements/merged-statements.ts';
import { addId, type RowIds } from './row-ids.ts';
import { STORE_ROWS, type StoredProgress } from './statements/store-statement.ts';

/** Versions of rows before this push, by `key id`; the device already knows the effect of its own push on a row. */
export type VersionsBefore = Map<string, number>;

export type RowsToLoad = Partial<Pick<AskedRows, 'rows' | 'catalogue' | 'live'>> & { sessions?: Iterable<string> };

interface StoreOptions {
  /** Sessions whose conversation changes. */
  stale: ReadonlySet<string>;
  /** The time and version of the push. */
  stamp: Values;
  /** The push's changes to the learner's scope and the device's row; null when those are written later. */
  progress: StoredProgress | null;
}

export class Batch {
  readonly #rowsByKey = new Map<EntityKey, Map<string, Values>>();
  readonly #written = new Map<EntityKey, Map<string, Values>>();
  readonly #versionsBefore: VersionsBefore;
  readonly byServer: RowIds = new Map();
  /** The number of turns per session, including those in this batch. */
  readonly turns: Map<string, TurnTotals> = new Map();
  /** Existing catalogue rows to which changes refer. */
  readonly catalogueIds: RowIds = new Map();
  /** Sessions with turns that an older server stored in one field. */
  readonly unmigrated: Set<string> = new Set();
  readonly #loaded = new Map<string, Values>();
  /** Rows that were requested from the database, so that a row that does not exist is looked up only once. */
  readonly #asked: RowIds = new Map();
  /** Rows that only got a new stamp (time and version). */
  readonly #touched: RowIds = new Map();
  readonly #askedSessions = new Set<string>();
  readonly #userId: string;

  constructor(versionsBefore: VersionsBefore, userId: string) {
    this.#versionsBefore = versionsBefore;
    this.#userId = userId;
  }

  /** Loads everything that is not loaded yet, in one statement. The turns of `sessions` are counted. */
  async load(
    transaction: PushTransaction,
    { rows = new Map(), catalogue = new Map(), live = new Set(), sessions = [] }: RowsToLoad,
  ): Promise<void> {
    const missing: RowIds = new Map();
    for (const [key, ids] of rows)
      for (const id of ids)
        if (!this.isKnown(key, id)) {
          addId(missing, key, id);
          addId(this.#asked, key, id);
        }
    const uncounted = [...sessions].filter((id) => !this.#askedSessions.has(id));
    if (missing.size + catalogue.size + live.size + uncounted.length === 0) return;
    for (const id of uncounted) this.#askedSessions.add(id);
    const loaded = await transaction.ask(LOAD_ROWS, {
      userId: this.#userId,
      rows: missing,
      catalogue,
      live,
      sessions: new Set(uncounted),
    });
    for (const [key, found] of loaded.rows) this.add(key, found);
    for (const [key, ids] of loaded.catalogueIds) for (const id of ids) addId(this.catalogueIds, key, id);
    for (const [id, totals] of loaded.turns) this.turns.set(id, totals);
    for (const id of loaded.unmigrated) this.unmigrated.add(id);
  }

  /** Whether `row` shows that the row exists. */
  isKnown(key: EntityKey, id: string): boolean {
    return this.#rowsOf(key).has(id) || this.#asked.get(key)?.has(id) === true;
  }

  /** Adds rows in their stored state, without replacing rows that are already loaded. */
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

  /** Returns the row in its stored state, or undefined. */
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

  /** Returns the rows that the push has changed. */
  changedIds(): RowIds {
    const changed: RowIds = new Map();
    for (const rows of [this.#written, this.#touched])
      for (const [key, ids] of rows) for (const id of ids.keys()) addId(changed, key, id);
    return changed;
  }

  /** The number of bytes of the rows that this batch has written so far, and the number by which they grew. */
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

  /** Writes everything in one statement. Sessions whose conversation changes get the stamp of the push. */
  async store(
    transaction: PushTransaction,
    { stale = new Set(), stamp = {}, progress = null }: Partial<StoreOptions> = {},
  ): Promise<void> {
    const touched = [...stale].filter((id) => !this.written('practiceHistory').has(id));
    for (const id of touched) {
      this.#rowsOf('practiceHistory').set(id, { ...this.row('practiceHistory', id), ...stamp });
      addId(this.#touched, 'practiceHistory', id);
    }
    await transaction.ask(STORE_ROWS, {
      userId: this.#userId,
      rows: this.#written,
      touched: touched.map((id) => ({ id, stamp })),
      stale,
      progress,
    });
  }

  #rowsOf(key: EntityKey): Map<string, Values> {
    const rows = this.#rowsByKey.get(key) ?? new Map<string, Values>();
    this.#rowsByKey.set(key, rows);
    return rows;
  }
}
