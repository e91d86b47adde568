/** Sets aside single changes that can never go out, with their content, so that they hold up no others. */
import { asc, eq } from 'drizzle-orm';
import type { Logger } from '../logger.ts';
import { outbox, type Store } from '../store/index.ts';
import { noteEpoch } from './epoch.ts';
import { AS_TEXT, forget, type OutboxRow, probeServer, type PushParts, recount, requestOf } from './push-changes.ts';
import { keepRejected } from './rejected-list.ts';

interface QuarantineParts {
  store: Store;
  logger: Logger;
  server: PushParts['server'];
}

/**
 * Sets the first of the changes that were sent aside when the server takes another change. Throws what the server answers when it does not:
 * then it fails on everything, and no change is to blame.
 */
export async function quarantineFirst({ store, logger, server }: QuarantineParts): Promise<void> {
  const first = firstSent(store);
  if (first === undefined) return;
  // The probe goes out under the number of the change that fails. All are counted anew before it, so that no change is taken for a replay of
  // the probe should its answer be lost.
  recount(store);
  const { epoch, lastSeq } = await probeServer(store, server);
  noteEpoch(store, epoch);
  await server.push(requestOf(store, [harmlessChange(store, first, lastSeq + 1)]));
  // An edit that was made meanwhile may have taken its fields over.
  const suspect = store.db.select(AS_TEXT).from(outbox).where(eq(outbox.mutationId, first.mutationId)).get();
  if (suspect === undefined) return;
  logger.error({ table: suspect.tableName }, 'change_quarantined');
  setAside(store, suspect, 'internal_error');
}

/** A single change that is larger than any request may be can never go out. */
export function rejectOversized(store: Store): void {
  const [first, ...others] = sentChanges(store);
  if (first !== undefined && others.length === 0) setAside(store, first, 'too_large');
}

const sentChanges = ({ db }: Store): OutboxRow[] =>
  db.select(AS_TEXT).from(outbox).where(eq(outbox.state, 'sent')).orderBy(asc(outbox.deviceSeq)).limit(2).all();

const firstSent = (store: Store): OutboxRow | undefined => sentChanges(store)[0];

/** The deletion of a row that does not exist, in the same table: the server does all its work for it and nothing comes of it. */
const harmlessChange = (store: Store, { tableName, at }: OutboxRow, deviceSeq: number): OutboxRow => ({
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

function setAside(store: Store, change: OutboxRow, code: 'internal_error' | 'too_large'): void {
  store.transaction(() => {
    keepRejected(store, change, { code, field: null });
    forget(store, [change]);
    recount(store);
  });
}
