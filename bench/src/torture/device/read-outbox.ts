/** Reads the outbox of a device with plain SQL. */
import { z } from 'zod';
import type { Store } from '../../../../desktop/src/host/store/index.ts';
import { OutboxEntry } from '../messages.ts';

const Stored = z.object({
  mutation_id: z.string(),
  table_name: z.string(),
  row_id: z.string(),
  op: z.string(),
  fields: z.string(),
  creates: z.number(),
  at: z.string(),
});

const COLUMNS = 'mutation_id, table_name, row_id, op, fields, creates, at';

const toEntry = (stored: unknown): OutboxEntry => {
  const row = Stored.parse(stored);
  return OutboxEntry.parse({
    mutationId: row.mutation_id,
    table: row.table_name,
    rowId: row.row_id,
    op: row.op,
    fields: JSON.parse(row.fields),
    creates: row.creates === 1,
    at: row.at,
  });
};

export const readOutbox = ({ sqlite }: Pick<Store, 'sqlite'>): OutboxEntry[] =>
  sqlite.prepare(`SELECT ${COLUMNS} FROM outbox ORDER BY position`).all().map(toEntry);

export const readOutboxForRow = ({ sqlite }: Store, table: string, rowId: string): OutboxEntry[] =>
  sqlite
    .prepare(`SELECT ${COLUMNS} FROM outbox WHERE table_name = ? AND row_id = ? ORDER BY position`)
    .all(table, rowId)
    .map(toEntry);

export const pendingMutationIds = ({ sqlite }: Pick<Store, 'sqlite'>): string[] =>
  sqlite.prepare<[], string>('SELECT mutation_id FROM outbox ORDER BY position').pluck().all();
