/** Reads the folder of a closed device. */
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { z } from 'zod';
import { readOutbox } from '../device/read-outbox.ts';
import type { OutboxEntry, Wire } from '../messages.ts';
import type { LearnerModel } from '../model/learner-model.ts';
import type { Row } from '../oracle/oracle-edit.ts';
import type { DocumentedTable } from '../oracle/protocol-document.ts';
import { readReplica } from '../oracle/read-replica.ts';

function withDeviceDatabase<Value>(dir: string, read: (sqlite: Database.Database) => Value): Value {
  const sqlite = new Database(join(dir, 'parley.sqlite'));
  try {
    return read(sqlite);
  } finally {
    sqlite.close();
  }
}

export const readClosedOutbox = (dir: string): OutboxEntry[] =>
  withDeviceDatabase(dir, (sqlite) => readOutbox({ sqlite }));

const RejectedRow = z.object({ id: z.string(), code: z.string(), fields: z.string() });
const Fields = z.record(z.string(), z.unknown());

export interface RejectedChange {
  id: string;
  code: string;
  fields: Record<string, unknown>;
}

/** Reads the rejected changes that the learner sees. */
export const readRejectedChanges = (dir: string): RejectedChange[] =>
  withDeviceDatabase(dir, (sqlite) =>
    z
      .array(RejectedRow)
      .parse(sqlite.prepare('SELECT id, code, fields FROM rejected_changes').all())
      .map((row) => ({ ...row, fields: Fields.parse(JSON.parse(row.fields)) })),
  );

/** Records the rows of a session that only the host on this device wrote; exactly these must arrive at the server. */
export function recordHostSession(
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
    const belongsToInteraction = row['interactionId'] !== undefined && interactionIds.has(row['interactionId']);
    if (!belongs(row) && !belongsToInteraction) continue;
    const { updatedAt: _, syncVersion: __, deletedAt: ___, fieldClocks: ____, ...fields } = row;
    model.recordRow({ table, rowId, fields: fields as Wire }, deviceId, Date.now());
  }
}
