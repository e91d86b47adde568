/** Reads the rows of a closed device with plain SQL, by the names and types in docs/protocol.md. */
import Database from 'better-sqlite3';
import { join } from 'node:path';
import type { ReplicaCase } from './check-replica.ts';
import { SESSIONS } from './conversation.ts';
import type { Row } from './oracle-edit.ts';
import type { DocumentedField, DocumentedTable } from './protocol-document.ts';

const FILE = 'parley.sqlite';
const CLOCKS = 'field_clocks';

const toColumnName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function toWire({ kind }: DocumentedField, stored: unknown): unknown {
  if (stored === null || stored === undefined) return null;
  if (kind === 'time') return new Date(Number(stored)).toISOString();
  if (kind === 'boolean') return stored === 1;
  return kind === 'json' ? (JSON.parse(stored as string) as unknown) : stored;
}

export function readReplica(document: ReadonlyMap<string, DocumentedTable>, dir: string): ReplicaCase {
  const sqlite = new Database(join(dir, FILE));
  try {
    const rows = new Map<string, Row>();
    const catalogue = new Map<string, number>();
    const conversations = new Map<string, Row[]>();
    for (const table of document.values()) {
      const { name, key, fields } = table;
      for (const stored of sqlite.prepare(`SELECT * FROM ${name}`).all() as Record<string, unknown>[]) {
        const id = String(stored[toColumnName(key)]);
        if (!table.isLearnerTable) {
          catalogue.set(`${name} ${id}`, Number(stored['sync_version']));
          continue;
        }
        const own = [...fields.values()].filter(({ rule }) => rule !== 'projection');
        const row = Object.fromEntries(
          own.map((field) => [field.name, toWire(field, stored[toColumnName(field.name)])]),
        );
        const clocks = stored[CLOCKS];
        rows.set(`${name} ${id}`, typeof clocks === 'string' ? { ...row, fieldClocks: JSON.parse(clocks) } : row);
        const conversation = stored['entire_conversation'];
        if (name === SESSIONS && typeof conversation === 'string')
          conversations.set(id, JSON.parse(conversation) as Row[]);
      }
    }
    return {
      rows,
      catalogue,
      conversations,
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
