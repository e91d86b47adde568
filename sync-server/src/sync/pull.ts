/** Protocol 1: a page of the rows that changed since a device's cursors, asked for one by one. */
import type { Cursors, PulledRow, PullRequest, PullResponse } from '@parley/contract';
import { type SignedInDevice, userScope } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { failure } from '../failure.ts';
import { NEVER_WRITTEN, nextRange, PAGE_STORED_BYTES, readScopeStates } from './pages.ts';
import { requireKnownProtocol } from './protocol-version.ts';
import { type Owner, readRange, tableRows } from './wire-rows.ts';

export const CATALOGUE_SCOPE = 'catalogue';

export async function pull(
  { db }: { db: Database },
  device: SignedInDevice,
  request: PullRequest,
): Promise<PullResponse> {
  requireKnownProtocol(request.protocol);
  if (request.deviceId !== device.deviceId) throw failure('auth.forbidden', { field: 'deviceId' });
  const { cursors, limit } = request;
  // One snapshot: a push that commits between two queries must not fall between two pages.
  return db.transaction(
    async (tx) => {
      const catalogue = await readScopePage(tx, null, { scope: CATALOGUE_SCOPE, after: cursors.catalogue, limit });
      const left = limit - catalogue.rows.length;
      const own =
        catalogue.more || left <= 0
          ? { rows: [], next: cursors.user, more: true }
          : await readScopePage(tx, device.userId, {
              scope: userScope(device.userId),
              after: cursors.user,
              limit: left,
            });
      const next: Cursors = { user: own.next, catalogue: catalogue.next };
      return {
        rows: [...catalogue.rows, ...own.rows],
        next,
        more: catalogue.more || own.more,
        userId: device.userId,
      };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

async function readScopePage(
  tx: Database,
  owner: Owner,
  reading: { scope: string; after: number; limit: number },
): Promise<{ rows: PulledRow[]; next: number; more: boolean }> {
  const [state] = await readScopeStates(tx, [reading.scope]);
  const { version, floor } = state ?? NEVER_WRITTEN;
  if (owner !== null && (reading.after > version || (reading.after > 0 && reading.after < floor)))
    throw failure('sync.resync');
  if (reading.after >= version) return { rows: [], next: reading.after, more: false };
  const range = await nextRange(tx, owner, {
    within: { from: reading.after + 1, to: version, newestFirst: false },
    limits: { rows: reading.limit, storedBytes: PAGE_STORED_BYTES },
  });
  if (range === null) return { rows: [], next: version, more: false };
  const tables = tableRows(await readRange(tx, owner, range));
  // In version order: a device that stops in the middle of a page has a whole past.
  const rows = tables.flatMap(({ table, fields, rows: values }) =>
    values.map((row) => ({
      table,
      fields: Object.fromEntries(fields.map((name, index) => [name, row[index]])) as PulledRow['fields'],
    })),
  );
  rows.sort((a, b) => Number(a.fields['syncVersion']) - Number(b.fields['syncVersion']));
  return { rows, next: range.to, more: range.more };
}
