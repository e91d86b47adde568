/** The export for spreadsheets: a CSV file a table, packed while it is read. */
import { Zip, ZipDeflate } from 'fflate';
import type { Database } from '../db/client.ts';
import { exportTables } from './export.ts';

export async function* exportZip(db: Database, userId: string): AsyncGenerator<Uint8Array> {
  let packed: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    packed.push(piece);
  });
  const take = (): Uint8Array[] => {
    const pieces = packed;
    packed = [];
    return pieces;
  };
  const encoder = new TextEncoder();
  for (const { name, columns, rows } of await exportTables(db, userId)) {
    const file = new ZipDeflate(`${name}.csv`);
    zip.add(file);
    file.push(encoder.encode(csvLine(columns)));
    for await (const row of rows) {
      file.push(encoder.encode(csvLine(columns.map((column) => cellOf(row[column])))));
      yield* take();
    }
    file.push(new Uint8Array(), true);
    yield* take();
  }
  zip.end();
  yield* take();
}

/** RFC 4180. A spreadsheet takes a cell that begins like a formula for one: such a cell gets an apostrophe. */
const csvLine = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`;

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'string') return JSON.stringify(value);
  return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
