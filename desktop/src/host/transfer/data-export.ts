/**
 * Exports everything of the signed-in learner on this device into one zip file: rows as JSON and CSV, and recordings.
 */
import { and, eq, ne } from 'drizzle-orm';
import { createReadStream, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Settings } from '../settings/index.ts';
import {
  listMissingTurns,
  openSnapshot,
  recordings,
  removeIfPossible,
  renameFile,
  type Snapshot,
  type Store,
} from '../store/index.ts';
import {
  copyName,
  dataName,
  EXPORT_FORMAT,
  type ExportManifest,
  MANIFEST_NAME,
  MISSING_COPIES_NAME,
  MISSING_TURNS_NAME,
  recordingName,
  SETTINGS_NAME,
} from './export-format.ts';
import { exportedTables, toCsv, toJsonLines } from './export-tables.ts';
import { writeZip } from './zip-writer.ts';

export interface Exporter {
  /** `isComplete`: whether everything on the server was here or could be fetched. */
  exportAll(): Promise<{ file: string; bytes: number; isComplete: boolean }>;
}

const EXPORT_FOLDER = 'exports';
/** Explains the archive to a reader who does not have Parley. */
const READ_ME = `What is in here

data/*.json    Your data, one file per table, in the form in which Parley stores it.
               What was said is in ai_conversations.json, one row per turn.
data/*.csv     The same data for a spreadsheet. Fields with lists or objects contain JSON.
recordings/    What you said, as WAV files. data/recordings.json says which turn each belongs to.
copies/        What you said on your other devices, as the compressed copies (Opus) that your server keeps if you
               have chosen that. data/ai_conversations.json says which turn each belongs to.

Times are in UTC. Scores are from 0 to 100; an empty score means that it was not measured.
To move all of this to another computer, open Settings there and choose "Import from a file".
`;

const MISSING_COPIES = `These recordings are on your other devices, and their copies could not be downloaded. Export again when your
server can be reached.

`;

const MISSING_TURNS = `The text of these sessions is not in this file: it is on your server, and this device could not download it.
Export again when your server can be reached. More sessions may be missing if this device has not been in sync before.

`;

interface ExporterParts {
  store: Store;
  settings: Pick<Settings, 'read'>;
  /** Fetches what a first sync has left out. Returns whether nothing is missing. */
  fetchEverything: () => Promise<boolean>;
  /** Copies of what was recorded on other devices. A copy that is currently unavailable reads as null. */
  listCopies: () => Promise<{ recordingId: string; read: () => Promise<Uint8Array | null> }[]>;
}

export function createExporter({ store, settings, fetchEverything, listCopies }: ExporterParts): Exporter {
  const recordingsDir = join(store.dataDir, 'recordings');
  const folder = join(store.dataDir, EXPORT_FOLDER);
  removeUnfinishedExports(folder);

  /**
   * The recordings folder also contains other accounts' files, so only files to which the learner's rows refer are
   * exported. A discarded recording is removed when its session ends.
   */
  const listAudioFiles = ({ db }: Snapshot): string[] =>
    db
      .select({ fileName: recordings.fileName })
      .from(recordings)
      .where(and(eq(recordings.userId, store.identity().userId), ne(recordings.state, 'set_aside')))
      .all()
      .map(({ fileName }) => fileName)
      .filter((name) => existsSync(join(recordingsDir, name)));

  const manifest = (): ExportManifest => ({
    product: 'parley',
    format: EXPORT_FORMAT,
    appVersion: store.appVersion,
    userId: store.identity().userId,
    exportedAt: store.clock.now().toISOString(),
  });

  /** Returns whether nothing is missing from what was written. */
  async function writeExport(
    handle: FileHandle,
    { isEverythingHere }: { isEverythingHere: boolean },
  ): Promise<boolean> {
    const snapshot = openSnapshot(store.dataDir);
    try {
      // Another round may have listed sessions with missing turns since.
      const incomplete = listMissingTurns(store, { since: null, limit: -1 });
      const isComplete = isEverythingHere && incomplete.length === 0;
      const zip = writeZip(handle);
      const addText = (name: string, text: () => Iterable<string>): void =>
        zip.add(name, () => Readable.from(inBlocks(text())), { compress: true });
      addText('READ ME.txt', () => [READ_ME]);
      addText(MANIFEST_NAME, () => [`${JSON.stringify(manifest(), null, 2)}\n`]);
      addText(SETTINGS_NAME, () => [`${JSON.stringify(settings.read().device, null, 2)}\n`]);
      for (const { name, rows } of exportedTables(snapshot, store.identity().userId)) {
        addText(dataName(name), () => toJsonLines(rows()));
        if (rows().next().done !== true) addText(`data/${name}.csv`, () => toCsv(rows()));
      }
      for (const name of listAudioFiles(snapshot))
        // Compression does not make PCM audio much smaller.
        zip.add(recordingName(name), () => readRecording(join(recordingsDir, name)), { compress: false });
      const missing: string[] = [];
      for (const { recordingId, read } of await listCopies()) {
        const copy = await read();
        if (copy === null) missing.push(recordingId);
        else await zip.addNow(copyName(recordingId), copy);
      }
      if (missing.length > 0) addText(MISSING_COPIES_NAME, () => [MISSING_COPIES, ...missing.map((id) => `${id}\n`)]);
      if (!isComplete)
        addText(MISSING_TURNS_NAME, () => [MISSING_TURNS, ...incomplete.map((sessionId) => `${sessionId}\n`)]);
      await zip.end();
      return isComplete;
    } finally {
      snapshot.close();
    }
  }

  return {
    async exportAll() {
      const isEverythingHere = await fetchEverything();
      mkdirSync(folder, { recursive: true });
      const { file, handle } = await createExportFile(
        join(folder, `parley-${formatLocalMinute(store.timeZone(), store.clock.now())}`),
      );
      try {
        const isComplete = await writeExport(handle, { isEverythingHere });
        await handle.sync();
        const { size } = await handle.stat();
        await handle.close();
        // The final name appears only when the file is complete.
        renameFile(temporaryPath(file), file);
        return { file, bytes: size, isComplete };
      } catch (error) {
        await handle.close().catch(() => undefined);
        rmSync(temporaryPath(file), { force: true });
        throw error;
      }
    },
  };
}

const BLOCK_CHARACTERS = 65_536;

/** Joins short texts, because each chunk passes through several streams. */
function* inBlocks(texts: Iterable<string>): Generator<string, void> {
  let block = '';
  for (const text of texts) {
    block += text;
    if (block.length < BLOCK_CHARACTERS) continue;
    yield block;
    block = '';
  }
  if (block !== '') yield block;
}

/** A large export takes minutes, and a recording that is deleted meanwhile becomes an empty entry. */
const readRecording = (path: string): Readable => (existsSync(path) ? createReadStream(path) : Readable.from([]));

const UNFINISHED_SUFFIX = '.zip.new';
const temporaryPath = (file: string): string => `${file}.new`;

/** A process that is killed leaves a part of an export, which may be large and which no program can open. */
function removeUnfinishedExports(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (name.endsWith(UNFINISHED_SUFFIX)) removeIfPossible(join(folder, name));
}

/**
 * Opens a new file. An export is never overwritten, because other accounts use the same folder and the learner may
 * still need an older export.
 */
async function createExportFile(path: string, attempt = 1): Promise<{ file: string; handle: FileHandle }> {
  const file = `${path}${attempt === 1 ? '' : `-${attempt}`}.zip`;
  const handle = await open(temporaryPath(file), 'wx').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return null;
    throw error;
  });
  // This is checked after the file is opened because a concurrent export may have finished in the meantime.
  if (handle !== null && !existsSync(file)) return { file, handle };
  if (handle !== null) {
    await handle.close();
    rmSync(temporaryPath(file));
  }
  return createExportFile(path, attempt + 1);
}

/** Formats the learner's local time, for example 2026-11-22-1412. */
function formatLocalMinute(timeZone: string, at: Date): string {
  // The Swedish locale formats dates as ISO 8601 does.
  const [day, time] = at.toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).split(' ');
  return `${day ?? ''}-${(time ?? '').replace(':', '')}`;
}
