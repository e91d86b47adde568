/** Exports the account for spreadsheets: a ZIP with one CSV file per table, compressed while it is read, and the kept recordings. */
import { CSV_BYTE_ORDER_MARK, toCsvLine } from '@parley/domain';
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import type { Database } from '../../db/client.ts';
import { type ExportSubject, exportTables } from './export-tables.ts';

export async function* exportZip(
  db: Database,
  subject: ExportSubject,
  recordings: AsyncIterable<{ recordingId: string; content: Uint8Array }>,
): AsyncGenerator<Uint8Array> {
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
  for (const { name, columns, rows } of await exportTables(db, subject)) {
    const file = new ZipDeflate(`${name}.csv`);
    zip.add(file);
    file.push(encoder.encode(`${CSV_BYTE_ORDER_MARK}${toCsvLine(columns)}`));
    for await (const row of rows) {
      file.push(encoder.encode(toCsvLine(columns.map((column) => row[column]))));
      yield* drain();
    }
    file.push(new Uint8Array(), true);
    yield* drain();
  }
  for await (const { recordingId, content } of recordings) {
    // Opus does not become smaller.
    const file = new ZipPassThrough(`recordings/${recordingId}.opus`);
    zip.add(file);
    file.push(content, true);
    yield* drain();
  }
  zip.end();
  yield* drain();
}
