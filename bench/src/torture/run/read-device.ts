/** Reads the folder of a device that is closed. */
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { z } from 'zod';
import { readOutbox } from '../device/outbox.ts';
import type { OutboxEntry, Wire } from '../messages.ts';
import type { LearnerModel } from '../model/learner-model.ts';
import type { Row } from '../oracle/edit.ts';
import type { DocumentedTable } from '../oracle/protocol-document.ts';
import { readReplica } from '../oracle/read-replica.ts';

function inFile<Value>(dir: string, read: (sqlite: Database.Database) => Value): Value {
  const sqlite = new Database(join(dir, 'parley.sqlite'));
  try {
    return read(sqlite);
  } finally {
    sqlite.close();
  }
}

export const readFileOutbox = (dir: string): OutboxEntry[] => inFile(dir, (sqlite) => readOutbox({ sqlite }));

const Rejected = z.object({ id: z.string(), code: z.string(), fields: z.string() });
const Fields = z.record(z.string(), z.unknown());

export interface RejectedChange {
  id: string;
  code: string;
  fields: Record<string, unknown>;
}

/** The list that the learner sees. */
export const readFileRejected = (dir: string): RejectedChange[] =>
  inFile(dir, (sqlite) =>
    z
      .array(Rejected)
      .parse(sqlite.prepare('SELECT id, code, fields FROM rejected_changes').all())
      .map((row) => ({ ...row, fields: Fields.parse(JSON.parse(row.fields)) })),
  );

/** Nobody else edits a session that the host held here: its rows as they lie are what must arrive. */
export function adoptSession(
  model: LearnerModel,
  document: ReadonlyMap<string, DocumentedTable>,
  { dir, deviceId, sessionId }: { dir: string; deviceId: string; sessionId: string },
): void {
  const { rows } = readReplica(document, dir);
  const belongs = (row: Row): boolean => {
    const details = row['details'] as { sessionId?: string } | undefined;
    return row['id'] === sessionId || details?.sessionId === sessionId;
  };
  const interactionIds = new Set([...rows.values()].filter(belongs).map((row) => row['interactionId']));
  for (const [key, row] of rows) {
    const [table = '', rowId = ''] = key.split(' ');
    const hangsOn = row['interactionId'] !== undefined && interactionIds.has(row['interactionId']);
    if (!belongs(row) && !hangsOn) continue;
    const { updatedAt: _, syncVersion: __, deletedAt: ___, fieldClocks: ____, ...fields } = row;
    model.adoptRow({ table, rowId, fields: fields as Wire }, deviceId, Date.now());
  }
}
