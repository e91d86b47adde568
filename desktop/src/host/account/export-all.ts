/** Everything that this device holds of the learner who is here now, in one file that any computer opens: rows as JSON and as CSV, and the recordings. */
import { entities } from '@parley/domain';
import { eq, getTableColumns, getTableName } from 'drizzle-orm';
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { createReadStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { DEVICE_TABLES_WITH_OWNER, LEARNER_KEYS, recordings, type Store, tables } from '../store/index.ts';

export interface Exporter {
  exportAll(): Promise<{ file: string; bytes: number }>;
}

const FOLDER = 'exports';
/** For whoever opens it without us. */
const READ_ME = `What is in here

data/*.json    Your rows, a file a table, as Parley keeps them.
data/*.csv     The same for a spreadsheet. Fields that hold lists or objects are JSON.
recordings/    What you said, as WAV files. data/recordings.json says which turn each belongs to.

Times are in UTC. Scores are from 0 to 100; an empty one was not measured.
`;

type Row = Record<string, unknown>;

export function createExporter({ store, timeZone }: { store: Store; timeZone: string }): Exporter {
  const recordingsDir = join(store.dataDir, 'recordings');

  /** The learner's own rows by the names of their tables, and what only this device has. */
  function readRows(): Map<string, Row[]> {
    const { userId } = store.identity();
    const rowsByTable = new Map<string, Row[]>();
    for (const key of LEARNER_KEYS) {
      const table: SQLiteTable = tables[key];
      const owner = (getTableColumns(table) as Record<string, AnySQLiteColumn>)['userId'];
      if (owner === undefined) throw new Error(`${key} names no learner`);
      rowsByTable.set(entities[key].name, store.db.select().from(table).where(eq(owner, userId)).all());
    }
    for (const table of DEVICE_TABLES_WITH_OWNER)
      rowsByTable.set(getTableName(table), store.db.select().from(table).where(eq(table.userId, userId)).all());
    return rowsByTable;
  }

  /** The folder holds what others have said on this computer as well: only what the learner's rows name is theirs. */
  function readSoundFiles(): string[] {
    const { userId } = store.identity();
    const named = store.db
      .select({ fileName: recordings.fileName })
      .from(recordings)
      .where(eq(recordings.userId, userId))
      .all();
    return named.map(({ fileName }) => fileName).filter((name) => existsSync(join(recordingsDir, name)));
  }

  return {
    async exportAll() {
      const folder = join(store.dataDir, FOLDER);
      mkdirSync(folder, { recursive: true });
      const { file, handle } = await begin(join(folder, `parley-${minuteIn(timeZone, store.clock.now())}`));
      const archive = openArchive(handle);
      try {
        await archive.addText('READ ME.txt', READ_ME);
        for (const [name, rows] of readRows()) {
          await archive.addText(`data/${name}.json`, `${JSON.stringify(rows, null, 2)}\n`);
          if (rows.length > 0) await archive.addText(`data/${name}.csv`, toCsv(rows));
        }
        for (const name of readSoundFiles()) await archive.addFile(`recordings/${name}`, join(recordingsDir, name));
        await archive.end();
        await handle.sync();
        const { size } = await handle.stat();
        await handle.close();
        // A file of that name is whole.
        renameSync(unfinished(file), file);
        return { file, bytes: size };
      } catch (error) {
        await handle.close().catch(() => undefined);
        rmSync(unfinished(file), { force: true });
        throw error;
      }
    },
  };
}

const unfinished = (file: string): string => `${file}.new`;

/** Others keep their exports in the same folder, and an older one is somebody's copy: no file is ever written over. */
async function begin(path: string, tries = 1): Promise<{ file: string; handle: FileHandle }> {
  const file = `${path}${tries === 1 ? '' : `-${tries}`}.zip`;
  const handle = await open(unfinished(file), 'wx').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return null;
    throw error;
  });
  // Looked for only now: an export that was under way a moment ago may have been finished since.
  if (handle !== null && !existsSync(file)) return { file, handle };
  if (handle !== null) {
    await handle.close();
    rmSync(unfinished(file));
  }
  return begin(path, tries + 1);
}

/** By the clock on the learner's wall: 2026-11-22-1412. */
function minuteIn(timeZone: string, at: Date): string {
  // Swedes write dates as ISO 8601 does.
  const [day, time] = at.toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).split(' ');
  return `${day ?? ''}-${(time ?? '').replace(':', '')}`;
}

/** Written piece by piece: hours of sound need no more memory than a minute. */
function openArchive(handle: FileHandle) {
  let waiting: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    waiting.push(piece);
  });
  const flush = async (): Promise<void> => {
    const pieces = waiting;
    waiting = [];
    for (const piece of pieces) await handle.write(piece);
  };
  return {
    async addText(name: string, text: string): Promise<void> {
      const entry = new ZipDeflate(name);
      zip.add(entry);
      entry.push(new TextEncoder().encode(text), true);
      await flush();
    },
    async addFile(name: string, path: string): Promise<void> {
      // Sound does not get smaller.
      const entry = new ZipPassThrough(name);
      zip.add(entry);
      for await (const piece of createReadStream(path)) {
        entry.push(new Uint8Array(piece as Buffer));
        await flush();
      }
      entry.push(new Uint8Array(0), true);
      await flush();
    },
    async end(): Promise<void> {
      zip.end();
      await flush();
    },
  };
}

/** RFC 4180. A spreadsheet takes a cell that begins like a formula for one: such a cell gets an apostrophe. */
export function toCsv(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const lines = [columns, ...rows.map((row) => columns.map((column) => cellOf(row[column])))];
  return `${lines.map((cells) => cells.map(quoted).join(',')).join('\r\n')}\r\n`;
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'string') return JSON.stringify(value);
  return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
