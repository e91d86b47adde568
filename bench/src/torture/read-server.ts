/** Reads all rows of the server through a stream of protocol 3, as a device that never writes. */
import { z } from 'zod';
import type { Row } from './oracle/oracle-edit.ts';
import type { DocumentedTable } from './oracle/protocol-document.ts';

export const Credentials = z.object({ userId: z.string(), deviceId: z.string(), token: z.string() });
export type Credentials = z.infer<typeof Credentials>;

export interface Answer {
  status: number;
  body: unknown;
}

const send = (url: string, path: string, body: unknown, token?: string): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });

export async function post(url: string, path: string, body: unknown, token?: string): Promise<Answer> {
  const response = await send(url, path, body, token);
  const text = await response.text();
  return { status: response.status, body: response.ok ? (JSON.parse(text) as unknown) : text };
}

const Cursors = z.object({ catalogue: z.number(), user: z.number(), older: z.number().nullable() });
export type Cursors = z.infer<typeof Cursors>;
export const INITIAL_CURSORS: Cursors = { catalogue: 0, user: 0, older: null };

const Line = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('page'),
    tables: z.array(z.object({ table: z.string(), fields: z.array(z.string()), rows: z.array(z.array(z.unknown())) })),
    next: Cursors,
  }),
  z.object({ type: z.literal('end') }),
]);

export type TableRows = Extract<z.infer<typeof Line>, { type: 'page' }>['tables'][number];

/** The rows of a learner and the versions of the catalogue rows. */
export interface ServerRows {
  rows: Map<string, Row>;
  catalogue: Map<string, number>;
}

export const emptyServerRows = (): ServerRows => ({ rows: new Map(), catalogue: new Map() });

export function addRows(into: ServerRows, document: ReadonlyMap<string, DocumentedTable>, pages: readonly TableRows[]) {
  for (const { table, fields, rows } of pages) {
    const { key = '', isLearnerTable = false } = document.get(table) ?? {};
    for (const values of rows) {
      const row = Object.fromEntries(fields.map((name, index) => [name, values[index]]));
      const id = `${table} ${String(row[key])}`;
      if (isLearnerTable) into.rows.set(id, row);
      else into.catalogue.set(id, Number(row['syncVersion']));
    }
  }
}

export interface StreamResult {
  status: number;
  /** Cursors after the last complete page. */
  next: Cursors;
  isWhole: boolean;
}

/** Reads all rows since `cursors` into `into`. */
export async function readStreamInto(
  into: ServerRows,
  at: { url: string; token: string; document: ReadonlyMap<string, DocumentedTable>; request: { cursors: Cursors } },
): Promise<StreamResult> {
  const response = await send(at.url, '/v1/sync/stream', at.request, at.token);
  let next = at.request.cursors;
  if (response.status !== 200) return { status: response.status, next, isWhole: false };
  const text = await response.text();
  let isWhole = false;
  for (const part of text.split('\n').filter((line) => line !== '')) {
    const line = Line.parse(JSON.parse(part));
    if (line.type === 'end') isWhole = true;
    else {
      addRows(into, at.document, line.tables);
      next = line.next;
    }
  }
  return { status: 200, next, isWhole };
}

/** Throws when the stream is incomplete. */
export async function readServerRows(
  url: string,
  document: ReadonlyMap<string, DocumentedTable>,
  { deviceId, token }: Credentials,
): Promise<ServerRows> {
  const read = emptyServerRows();
  const request = { protocol: 3, deviceId, epoch: null, cursors: INITIAL_CURSORS, answeredSeq: 0 };
  const { status, isWhole } = await readStreamInto(read, { url, token, document, request });
  if (!isWhole) throw new Error(`the server's rows cannot be read: ${status}`);
  return read;
}
