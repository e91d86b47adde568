/** A device of protocol 2, written out: what a learner's machine still speaks that was not updated. */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { OutboxEntry } from './messages.ts';
import type { DocumentedTable } from './oracle/protocol-document.ts';
import { type Credentials, NOTHING, noRows, post, type ServerRows, streamInto } from './server-reader.ts';

const PROTOCOL = 2;
export const Outcome = z.object({
  id: z.string(),
  status: z.string(),
  code: z.string().optional(),
  refused: z.array(z.object({ field: z.string(), code: z.string() })).optional(),
});
export type Outcome = z.infer<typeof Outcome>;
const Pushed = z.object({ outcomes: z.array(Outcome), lastSeq: z.number() });

type Queued = OutboxEntry & { deviceSeq: number | null };

const toMutation = ({ mutationId, deviceSeq, table, rowId, op, fields, at }: Queued) => ({
  id: mutationId,
  deviceSeq,
  table,
  rowId,
  op,
  fields,
  at,
});

export interface ScriptedClient {
  readonly pages: ServerRows;
  queue: (entry: OutboxEntry) => void;
  readonly waiting: readonly string[];
  /** Null: some fault is in the way; the same changes go again next time. */
  sync: () => Promise<Outcome[] | null>;
}

export function createScriptedClient(
  url: string,
  { deviceId, token }: Credentials,
  document: ReadonlyMap<string, DocumentedTable>,
): ScriptedClient {
  const pages = noRows();
  const outbox: Queued[] = [];
  let cursors = NOTHING;
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
    const pushed = Pushed.parse(body);
    answeredSeq = pushed.lastSeq;
    return pushed.outcomes;
  }

  return {
    pages,
    queue: (entry) => void outbox.push({ ...entry, deviceSeq: null }),
    get waiting() {
      return outbox.map(({ mutationId }) => mutationId);
    },
    sync: async () => {
      let outcomes: Outcome[] | null = null;
      try {
        outcomes = await push();
        if (outcomes === null) return null;
        const request = { protocol: PROTOCOL, deviceId, cursors, answeredSeq };
        const streamed = await streamInto(pages, { url, token, document, request });
        cursors = streamed.next;
        // What was answered is told, though the stream was cut.
        return streamed.isWhole || outcomes.length > 0 ? outcomes : null;
      } catch {
        await pause(5);
        return outcomes !== null && outcomes.length > 0 ? outcomes : null;
      }
    },
  };
}
