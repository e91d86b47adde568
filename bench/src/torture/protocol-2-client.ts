/** A client of protocol 2, as an app that was never updated still speaks it. */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { OutboxEntry } from './messages.ts';
import type { DocumentedTable } from './oracle/protocol-document.ts';
import {
  type Credentials,
  INITIAL_CURSORS,
  emptyServerRows,
  post,
  type ServerRows,
  readStreamInto,
} from './read-server.ts';

const PROTOCOL = 2;
export const Outcome = z.object({
  id: z.string(),
  status: z.string(),
  code: z.string().optional(),
  refused: z.array(z.object({ field: z.string(), code: z.string() })).optional(),
});
export type Outcome = z.infer<typeof Outcome>;
const PushResponse = z.object({ outcomes: z.array(Outcome), lastSeq: z.number() });

type QueuedEntry = OutboxEntry & { deviceSeq: number | null };

const toMutation = ({ mutationId, deviceSeq, table, rowId, op, fields, at }: QueuedEntry) => ({
  id: mutationId,
  deviceSeq,
  table,
  rowId,
  op,
  fields,
  at,
});

export interface Protocol2Client {
  readonly serverRows: ServerRows;
  queue: (entry: OutboxEntry) => void;
  readonly pendingIds: readonly string[];
  /** Resolves to null when a fault prevented the sync; the same changes are sent again next time. */
  sync: () => Promise<Outcome[] | null>;
}

export function createProtocol2Client(
  url: string,
  { deviceId, token }: Credentials,
  document: ReadonlyMap<string, DocumentedTable>,
): Protocol2Client {
  const serverRows = emptyServerRows();
  const outbox: QueuedEntry[] = [];
  let cursors = INITIAL_CURSORS;
  let lastSeq = 0;
  let answeredSeq = 0;

  async function push(): Promise<Outcome[] | null> {
    if (outbox.length === 0) return [];
    const batch = [...outbox];
    for (const entry of batch) entry.deviceSeq ??= lastSeq += 1;
    const mutations = batch.map(toMutation);
    const { status, body } = await post(url, '/v1/sync/push', { protocol: PROTOCOL, deviceId, mutations }, token);
    if (status !== 200) return null;
    outbox.splice(0, batch.length);
    const pushed = PushResponse.parse(body);
    answeredSeq = pushed.lastSeq;
    return pushed.outcomes;
  }

  return {
    serverRows,
    queue: (entry) => void outbox.push({ ...entry, deviceSeq: null }),
    get pendingIds() {
      return outbox.map(({ mutationId }) => mutationId);
    },
    sync: async () => {
      let outcomes: Outcome[] | null = null;
      try {
        outcomes = await push();
        if (outcomes === null) return null;
        const request = { protocol: PROTOCOL, deviceId, cursors, answeredSeq };
        const streamed = await readStreamInto(serverRows, { url, token, document, request });
        cursors = streamed.next;
        // Outcomes that have arrived are reported even if the stream was cut.
        return streamed.isWhole || outcomes.length > 0 ? outcomes : null;
      } catch {
        await pause(5);
        return outcomes !== null && outcomes.length > 0 ? outcomes : null;
      }
    },
  };
}
