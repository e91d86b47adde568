/** Sends the turns of the sessions that a device names, a session at a time; the stream has left them out. */
import type { Database } from '../../db/client.ts';
import { DomainError } from '../../domain-error.ts';
import type { SignedInDevice } from '../../account/index.ts';
import type { ParsedTurnsRequest } from '../parse-request.ts';
import { readEpoch } from '../restore/epoch.ts';
import { readRows, splitTurns, tablesJson } from '../rows/wire-rows.ts';
import { PAGE_BYTES } from './pages.ts';
import { inSnapshot, readScopes, type StreamParts } from './stream.ts';

const PROTOCOL = 3;

/** Yields lines of NDJSON. An invalid request, or one of another epoch, throws before the first line. */
export async function openTurns(
  parts: Pick<StreamParts, 'db' | 'now'>,
  { deviceId, userId }: SignedInDevice,
  request: ParsedTurnsRequest,
): Promise<AsyncGenerator<string>> {
  if (request.deviceId !== deviceId) throw new DomainError('auth.forbidden', { field: 'deviceId' });
  const inEpoch = async <Value>(
    known: string | null,
    work: (tx: Database, epoch: string) => Promise<Value>,
  ): Promise<Value | 'another epoch'> =>
    inSnapshot(parts, { owner: userId, protocol: PROTOCOL }, async (tx) => {
      const epoch = await readEpoch(tx, (await readScopes(tx, userId)).own);
      return known === null || known === epoch ? work(tx, epoch) : 'another epoch';
    });
  const epoch = await inEpoch(request.epoch, (_tx, current) => Promise.resolve(current));
  if (epoch === 'another epoch') throw new DomainError('sync.resync', { detail: 'epoch' });
  return turnLines({ userId, epoch, sessionIds: request.sessionIds, inEpoch: (work) => inEpoch(epoch, work) });
}

interface TurnLines {
  userId: string;
  epoch: string;
  sessionIds: readonly string[];
  inEpoch: <Value>(work: (tx: Database) => Promise<Value>) => Promise<Value | 'another epoch'>;
}

async function* turnLines({ userId, epoch, sessionIds, inEpoch }: TurnLines): AsyncGenerator<string> {
  const reader = { owner: userId, protocol: PROTOCOL } as const;
  const header = `{"type":"turns","epoch":${JSON.stringify(epoch)},"userId":"${userId}"`;
  for (const sessionId of sessionIds) {
    const portions = await inEpoch((tx) => splitTurns(tx, reader, { sessionId, bytes: PAGE_BYTES }));
    // An answer without its end line counts as interrupted, so the device asks again and learns of the new epoch.
    if (portions === 'another epoch') return;
    for (const [index, { key, ids }] of portions.entries()) {
      const turns = await inEpoch((tx) => readRows(tx, reader, new Map([[key, ids]])));
      if (turns === 'another epoch') return;
      yield `${header},"sessionId":"${sessionId}","tables":${tablesJson(turns, PROTOCOL)},"isLast":${String(index === portions.length - 1)}}\n`;
    }
    // The device learns that there is nothing to wait for.
    if (portions.length === 0) yield `${header},"sessionId":"${sessionId}","tables":[],"isLast":true}\n`;
  }
  yield `{"type":"end","epoch":${JSON.stringify(epoch)}}\n`;
}
