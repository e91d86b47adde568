/** Exports the account for spreadsheets: a ZIP with one CSV file per table, compressed while it is read. */
import { toCsvLine } from '@parley/domain';
import { Zip, ZipDeflate } from 'fflate';
import type { Database } from '../../db/client.ts';
import { exportTables } from './export-tables.ts';

export async function* exportZip(db: Database, userId: string): AsyncGenerator<Uint8Array> {
  let packed: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    packed.push(piece);
  });
  const drain = (): Uint8Array[] => {
    const pieces = packed;
    packed = [];
    return pieces;
  };
  const encoder = new TextEncoder();
  for (const { name, columns, rows } of await exportTables(db, userId)) {
    const file = new ZipDeflate(`${name}.csv`);
    zip.add(file);
    file.push(encoder.encode(toCsvLine(columns)));
    for await (const row of rows) {
      file.push(encoder.encode(toCsvLine(columns.map((column) => row[column]))));
      yield* drain();
    }
    file.push(new Uint8Array(), true);
    yield* drain();
  }
  zip.end();
  yield* drain();
}
