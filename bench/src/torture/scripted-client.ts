/** A device of protocol 1, written out: what a learner's machine still speaks that was not updated. Also how the run reads the server. */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { keyOf, type WireRows } from './check/wire-rows.ts';
import type { OutboxEntry } from './messages.ts';

export const Credentials = z.object({ userId: z.string(), deviceId: z.string(), token: z.string() });
export type Credentials = z.infer<typeof Credentials>;

const Pulled = z.object({
  rows: z.array(z.object({ table: z.string(), fields: z.record(z.string(), z.unknown()) })),
  next: z.object({ user: z.number(), catalogue: z.number() }),
  more: z.boolean(),
  userId: z.string(),
});
export const Outcome = z.object({ id: z.string(), status: z.string(), code: z.string().optional() });
const Pushed = z.object({ outcomes: z.array(Outcome), lastSeq: z.number() });

export interface Answer {
  status: number;
  body: unknown;
}

export async function post(url: string, path: string, body: unknown, token?: string): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: response.ok ? (JSON.parse(text) as unknown) : text };
}

export interface Pages {
  rows: WireRows;
  catalogue: Map<string, number>;
  cursors: { user: number; catalogue: number };
}

/** Every row since the cursors of `pages`, which take them in. */
export async function pullInto(pages: Pages, url: string, { deviceId, token }: Credentials): Promise<void> {
  for (let more = true; more;) {
    const request = { protocol: 1, deviceId, cursors: pages.cursors, limit: 1_000 };
    const { status, body } = await post(url, '/v1/sync/pull', request, token);
    if (status !== 200) throw new Error(`pull was answered ${status}: ${String(body)}`);
    const page = Pulled.parse(body);
    for (const { table, fields } of page.rows) {
      const key = keyOf(table, fields);
      if ('userId' in fields) pages.rows.set(key, fields);
      else pages.catalogue.set(key, Number(fields['syncVersion']));
    }
    pages.cursors = page.next;
    more = page.more;
  }
}

export const emptyPages = (): Pages => ({
  rows: new Map(),
  catalogue: new Map(),
  cursors: { user: 0, catalogue: 0 },
});

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
  readonly pages: Pages;
  queue: (entry: OutboxEntry) => void;
  readonly waiting: readonly string[];
  /** Null: some fault is in the way; the same changes go again next time. */
  sync: () => Promise<z.infer<typeof Outcome>[] | null>;
}

export function createScriptedClient(url: string, credentials: Credentials): ScriptedClient {
  const pages = emptyPages();
  const outbox: Queued[] = [];
  let lastSeq = 0;
  return {
    pages,
    queue: (entry) => void outbox.push({ ...entry, deviceSeq: null }),
    get waiting() {
      return outbox.map(({ mutationId }) => mutationId);
    },
    sync: async () => {
      try {
        const outcomes: z.infer<typeof Outcome>[] = [];
        if (outbox.length > 0) {
          const batch = [...outbox];
          const { deviceId, token } = credentials;
          for (const entry of batch) entry.deviceSeq ??= lastSeq += 1;
          const mutations = batch.map(toMutation);
          const { status, body } = await post(url, '/v1/sync/push', { protocol: 1, deviceId, mutations }, token);
          if (status !== 200) return null;
          outcomes.push(...Pushed.parse(body).outcomes);
          outbox.splice(0, batch.length);
        }
        await pullInto(pages, url, credentials);
        return outcomes;
      } catch {
        await pause(5);
        return null;
      }
    },
  };
}
