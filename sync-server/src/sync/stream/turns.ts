/** Sends the turns of the sessions that a device requests, one session at a time. The stream has left them out. */
import type { Database } from '../../db/client.ts';
import { DomainError } from '../../domain-error.ts';
import type { SignedInDevice } from '../../account/index.ts';
import type { ParsedTurnsRequest } from '../parse-request.ts';
import { isSignedIn, readEpoch } from '../restore/epoch.ts';
import { readRows, type RowPortion, splitTurns, tablesJson } from '../rows/wire-rows.ts';
import { PAGE_BYTES } from './pages.ts';
import { inSnapshot, readScopes, type StreamParts } from './stream.ts';

const PROTOCOL = 3;

/** Yields lines of NDJSON. An invalid request, or one from another epoch, throws before the first line. */
export async function openTurns(
  parts: Pick<StreamParts, 'db' | 'now' | 'readAhead'>,
  device: SignedInDevice,
  request: ParsedTurnsRequest,
): Promise<AsyncGenerator<string>> {
  const { userId } = device;
  if (request.deviceId !== device.deviceId) throw new DomainError('auth.forbidden', { field: 'deviceId' });
  const inEpoch = async <Value>(
    known: string | null,
    work: (tx: Database, epoch: string) => Promise<Value>,
  ): Promise<Value | 'over'> =>
    inSnapshot(parts, { owner: userId, protocol: PROTOCOL }, async (tx) => {
      const epoch = await readEpoch(tx, (await readScopes(tx, userId)).own);
      return known === null || known === epoch ? work(tx, epoch) : 'over';
    });
  const epoch = await inEpoch(request.epoch, (_tx, current) => Promise.resolve(current));
  if (epoch === 'over') throw new DomainError('sync.resync', { detail: 'epoch' });
  return turnLines(parts, {
    userId,
    epoch,
    sessionIds: request.sessionIds,
    inEpoch: (work) => inEpoch(epoch, async (tx) => ((await isSignedIn(tx, device)) ? work(tx) : 'over')),
  });
}

interface TurnLines {
  userId: string;
  epoch: string;
  sessionIds: readonly string[];
  inEpoch: <Value>(work: (tx: Database) => Promise<Value>) => Promise<Value | 'over'>;
}

async function* turnLines(
  { readAhead }: Pick<StreamParts, 'readAhead'>,
  { userId, epoch, sessionIds, inEpoch }: TurnLines,
): AsyncGenerator<string> {
  const reader = { owner: userId, protocol: PROTOCOL } as const;
  const header = `{"type":"turns","epoch":${JSON.stringify(epoch)},"userId":"${userId}"`;
  const toJson = async (tx: Database, { key, ids }: RowPortion): Promise<string> =>
    tablesJson(await readRows(tx, reader, new Map([[key, ids]])), PROTOCOL);
  const read = (sessionId: string) =>
    inEpoch(async (tx) => {
      const [first, ...others] = await splitTurns(tx, reader, { sessionId, bytes: PAGE_BYTES });
      // A session without turns is sent too, so that the device learns that there is nothing to wait for.
      return { first: first === undefined ? '[]' : await toJson(tx, first), others };
    });
  let ahead: ReturnType<typeof read> | null = null;
  for (const [place, sessionId] of sessionIds.entries()) {
    const session: Awaited<ReturnType<typeof read>> = await (ahead ?? read(sessionId));
    // A response without its end line counts as interrupted, so the device makes a new request and learns of the new
    // epoch, or that it is signed out.
    if (session === 'over') return;
    const nextId = sessionIds[place + 1];
    // The next session is prefetched while this one is sent, as long as few streams do so.
    const isAhead = nextId !== undefined && readAhead.tryAcquire();
    ahead = isAhead ? read(nextId) : null;
    // If the device disconnects, that read is not awaited, and its failure must not end the process.
    const settled = ahead?.catch(() => undefined);
    try {
      for (const [index, portion] of [session.first, ...session.others].entries()) {
        const tables = typeof portion === 'string' ? portion : await inEpoch((tx) => toJson(tx, portion));
        if (tables === 'over') return;
        const isLast = index === session.others.length;
        yield `${header},"sessionId":"${sessionId}","tables":${tables},"isLast":${String(isLast)}}\n`;
      }
    } finally {
      // A session that is still being read occupies a connection to the database, even if the device has disconnected.
      if (isAhead) void settled?.finally(() => readAhead.release());
    }
  }
  yield `{"type":"end","epoch":${JSON.stringify(epoch)}}\n`;
}
