/** Parses sync streams as a device does. */
import { StreamLine, type StreamCursors, StreamLineV2 } from '@parley/contract';
import { entities, entityKeyByTable } from '@parley/domain';

export const INITIAL_CURSORS: StreamCursors = { catalogue: 0, user: 0, older: null };

/** A page of either protocol version. */
export type StreamPage = Extract<StreamLineV2, { type: 'page' }>;

export interface SyncStream {
  /** Null in protocol version 2. */
  epoch: string | null;
  pages: StreamPage[];
  /** Whether the stream sent its end marker. */
  hasEnded: boolean;
}

export interface SyncedRow {
  table: string;
  /** The table's name and the row's key. */
  key: string;
  version: number;
  fields: Record<string, unknown>;
}

export function parseSyncStream(text: string): SyncStream {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): StreamLine | StreamLineV2 => {
      const value: unknown = JSON.parse(line);
      return isOfProtocol3(value) ? StreamLine.parse(value) : StreamLineV2.parse(value);
    });
  const epochs = new Set(lines.map((line) => ('epoch' in line ? line.epoch : null)));
  if (epochs.size > 1) throw new Error('a stream has two epochs');
  return {
    epoch: [...epochs][0] ?? null,
    pages: lines.filter((line) => line.type === 'page'),
    hasEnded: lines.at(-1)?.type === 'end',
  };
}

const isOfProtocol3 = (line: unknown): boolean => typeof line === 'object' && line !== null && 'epoch' in line;

export const rowsOf = ({ tables }: StreamPage): SyncedRow[] =>
  tables.flatMap(({ table, fields: names, rows }) =>
    rows.map((values): SyncedRow => {
      const fields = Object.fromEntries(names.map((name, index) => [name, values[index]]));
      const entityKey = entityKeyByTable.get(table);
      if (entityKey === undefined) throw new Error(`there is no entity ${table}`);
      const key = `${table} ${String(fields[entities[entityKey].key])}`;
      return { table, key, version: Number(fields['syncVersion']), fields };
    }),
  );

/** A device's local copy: rows by key, and the cursors. */
export class LocalCopy {
  readonly rows: Map<string, SyncedRow> = new Map();
  cursors: StreamCursors = INITIAL_CURSORS;

  apply(pages: readonly StreamPage[]): this {
    for (const page of pages) {
      for (const row of rowsOf(page)) this.rows.set(row.key, row);
      this.cursors = page.next;
    }
    return this;
  }

  sorted(): SyncedRow[] {
    return [...this.rows.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }
}
