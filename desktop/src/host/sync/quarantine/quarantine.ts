/** Quarantines single changes that can never be sent, so that they do not block the others. */
import { eq } from 'drizzle-orm';
import type { Logger } from '../../logger.ts';
import { outbox, type Store } from '../../store/index.ts';
import { storeEpoch } from '../restore/epoch.ts';
import {
  OUTBOX_AS_TEXT,
  deleteChanges,
  probeServer,
  type PushParts,
  renumberChanges,
  serializePush,
  unansweredBatch,
} from '../push/push-changes.ts';
import type { OutboxRow } from '../push/outbox-row.ts';
import { storeRejected } from './rejected-changes.ts';

interface QuarantineParts {
  store: Store;
  logger: Logger;
  server: PushParts['server'];
}

/**
 * Quarantines the first sent change if the server accepts another one. Otherwise, the server fails on everything, and
 * its error is thrown.
 */
export async function quarantineFirst({ store, logger, server }: QuarantineParts): Promise<void> {
  const [first] = unansweredBatch(store, 1);
  if (first === undefined) return;
  // The probe reuses the failing change's number. Renumbering first ensures that no change is mistaken for a replay of
  // the probe if the response to it is lost.
  renumberChanges(store);
  const { epoch, lastSeq } = await probeServer(store, server);
  storeEpoch(store, epoch);
  await server.push(serializePush(store, [probeChange(store, first, lastSeq + 1)]));
  // A newer edit may have absorbed its fields in the meantime.
  const suspect = store.db.select(OUTBOX_AS_TEXT).from(outbox).where(eq(outbox.mutationId, first.mutationId)).get();
  if (suspect === undefined) return;
  logger.error({ table: suspect.tableName }, 'change_quarantined');
  quarantineChange(store, suspect, 'internal_error');
}

/** A single change that exceeds the request limit can never be sent. */
export function rejectOversized(store: Store): void {
  const [first, ...others] = unansweredBatch(store, 2);
  if (first !== undefined && others.length === 0) quarantineChange(store, first, 'too_large');
}

/** Deletes a row that does not exist, so that the server does its usual work without any effect. */
const probeChange = (store: Store, { tableName, at }: OutboxRow, deviceSeq: number): OutboxRow => ({
  position: 0,
  mutationId: store.newId(),
  deviceSeq,
  tableName,
  rowId: store.newId(),
  op: 'delete',
  fields: '{}',
  clocks: null,
  creates: false,
  base: 0,
  at,
});

function quarantineChange(store: Store, change: OutboxRow, code: 'internal_error' | 'too_large'): void {
  store.transaction(() => {
    storeRejected(store, change, { code, field: null });
    deleteChanges(store, [change]);
    renumberChanges(store);
  });
}
