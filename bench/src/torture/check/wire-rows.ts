/** Rows as they travel, whoever holds them: read from a device's file, or answered by the server. */
import { columnName, entities, ENTITY_KEYS, type Field, isSynced } from '@parley/domain';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { z } from 'zod';

export type WireRow = Readonly<Record<string, unknown>>;
/** By table and key. */
export type WireRows = Map<string, WireRow>;

/** Tables whose rows belong to somebody; the catalogue is everybody's. */
const OWNED = ENTITY_KEYS.filter((key) => isSynced(key) && entities[key].owner !== 'catalogue');
const CATALOGUE = ENTITY_KEYS.filter((key) => entities[key].owner === 'catalogue');

export const keyOf = (table: string, row: WireRow): string => {
  const key = ENTITY_KEYS.find((candidate) => entities[candidate].name === table);
  return `${table} ${String(key === undefined ? '' : row[entities[key].key])}`;
};

function toWire(field: Field, stored: unknown): unknown {
  if (stored === null || stored === undefined) return null;
  switch (field.kind) {
    case 'time':
      return new Date(Number(stored)).toISOString();
    case 'boolean':
      return stored === 1;
    case 'json':
      return JSON.parse(z.string().parse(stored));
    default:
      return stored;
  }
}

export interface Replica {
  rows: WireRows;
  /** Key and version of every catalogue row. */
  catalogue: Map<string, number>;
  waiting: number;
  /** What the file says of itself, when that is not "ok". */
  damage: string[];
}

/** Of a device that is closed. */
export function readReplica(dir: string): Replica {
  const sqlite = new Database(join(dir, 'parley.sqlite'));
  try {
    const rows: WireRows = new Map();
    for (const key of OWNED) {
      const { name, fields } = entities[key];
      for (const stored of sqlite.prepare(`SELECT * FROM ${name}`).all() as Record<string, unknown>[]) {
        const row = Object.fromEntries(
          Object.entries(fields as Record<string, Field>).map(([field, declared]) => [
            field,
            toWire(declared, stored[columnName(field)]),
          ]),
        );
        rows.set(keyOf(name, row), row);
      }
    }
    const catalogue = new Map<string, number>();
    for (const key of CATALOGUE) {
      const { name, key: keyField } = entities[key];
      const versions = sqlite
        .prepare(`SELECT ${columnName(keyField)}, sync_version FROM ${name}`)
        .raw()
        .all();
      for (const [id, version] of versions as [string, number][]) catalogue.set(`${name} ${id}`, version);
    }
    return {
      rows,
      catalogue,
      waiting: Number(sqlite.prepare('SELECT count(*) FROM outbox').pluck().get()),
      damage: [
        ...(sqlite.pragma('integrity_check') as { integrity_check: string }[])
          .map((line) => line.integrity_check)
          .filter((line) => line !== 'ok'),
        ...(sqlite.pragma('foreign_key_check') as object[]).map(
          (line) => `a foreign key points nowhere: ${JSON.stringify(line)}`,
        ),
      ],
    };
  } finally {
    sqlite.close();
  }
}
