/**
 * Opens and checks an export: that it belongs to the learner, is complete, and contains only rows that this app
 * understands.
 */
import { DeviceSettings } from '@parley/contract';
import { entities, err, ok, type Result, unusableAttemptField } from '@parley/domain';
import { getTableName } from 'drizzle-orm';
import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { DEVICE_TABLES_WITH_OWNER, drillAttempts, LEARNER_KEYS, type LearnerKey, recordings } from '../store/index.ts';
import { DrillRow, RecordingRow } from './device-rows.ts';
import {
  dataName,
  EXPORT_FORMAT,
  ExportManifest,
  MANIFEST_NAME,
  MAX_DATA_BYTES,
  MAX_ENTRIES,
  MAX_RATIO,
  MAX_RECORDING_BYTES,
  MAX_ROW_BYTES,
  MAX_SMALL_FILE_BYTES,
  MISSING_TURNS_NAME,
  parseEntryName,
  recordingName,
  SETTINGS_NAME,
} from './export-format.ts';
import { readJsonRows } from './json-rows.ts';
import { deviceRowParser, type ExportedRow, parseJson, rowParser } from './parse-row.ts';
import { openStagedRows, type StagedRow, type StagedRows } from './staged-rows.ts';
import { type ImportFailure, Unreadable } from './unreadable.ts';
import { DamagedEntry, readZip, type ZipEntry, type ZipReader } from './zip-reader.ts';

interface ExportedRecording {
  row: RecordingRow;
  entry: ZipEntry;
}

/** The rows are read from the disk at each call. */
export interface ReadExport {
  userId: string;
  email: string | null;
  exportedAt: Date;
  /** Whether the file claims to contain everything that the server had. */
  isComplete: boolean;
  /** The number of attempts that are left out because they have no word or no valid day. */
  unusableWords: number;
  settings: Partial<DeviceSettings>;
  zip: ZipReader;
  rows(key: LearnerKey): Iterable<ExportedRow>;
  /** The recordings whose files are in the export. */
  recordings(): Iterable<ExportedRecording>;
  drills(): Iterable<DrillRow>;
  /** Finds the row with this id, as it is in the file. Drills have no id. */
  find(id: string): StagedRow | undefined;
  rowCount(): number;
  close(): void;
}

interface ReadOptions {
  /** The path of a new file for the rows, which is used until the export is closed. */
  stagingFile: string;
  signal: AbortSignal;
}

/** Rejects with the signal's reason when it is aborted. */
export async function readExport(
  handle: FileHandle,
  { stagingFile, signal }: ReadOptions,
): Promise<Result<ReadExport, ImportFailure>> {
  try {
    const zip = await openArchive(handle);
    const staged = openStagedRows(stagingFile);
    try {
      return ok(await stageExport(zip, { staged, signal }));
    } catch (error) {
      staged.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof Unreadable) return err(error.failure);
    if (error instanceof DamagedEntry || error instanceof SyntaxError) return err('import.damaged');
    throw error;
  }
}

/** Null when the file is not an export that says whose it is. */
export async function readExportOwner(handle: FileHandle): Promise<string | null> {
  const zip = await readZip(handle, { maxEntries: MAX_ENTRIES });
  const entry = typeof zip === 'string' ? undefined : zip.entries.find(({ name }) => name === MANIFEST_NAME);
  if (typeof zip === 'string' || entry === undefined || entry.bytes > MAX_SMALL_FILE_BYTES) return null;
  const content = await zip.read(entry);
  if (content === null) return null;
  return ExportManifest.safeParse(parseJson(content.toString('utf8'))).data?.userId ?? null;
}

async function openArchive(handle: FileHandle): Promise<ZipReader> {
  const zip = await readZip(handle, { maxEntries: MAX_ENTRIES });
  if (zip === 'not_a_zip') throw new Unreadable((await isCutOff(handle)) ? 'import.damaged' : 'import.not_an_export');
  if (zip === 'too_large') throw new Unreadable('import.too_large');
  if (zip === 'damaged') throw new Unreadable('import.damaged');
  checkEntries(zip.entries);
  return zip;
}

const RECORDINGS = getTableName(recordings);
const DRILLS = getTableName(drillAttempts);

async function stageExport(
  zip: ZipReader,
  { staged, signal }: { staged: StagedRows; signal: AbortSignal },
): Promise<ReadExport> {
  const entryByName = new Map(zip.entries.map((entry) => [entry.name, entry]));
  const readJson = async (name: string): Promise<unknown> => {
    const entry = entryByName.get(name);
    if (entry === undefined) return undefined;
    if (entry.bytes > MAX_SMALL_FILE_BYTES) throw new Unreadable('import.too_large');
    const content = await zip.read(entry);
    if (content === null) throw new Unreadable('import.damaged');
    return parseJson(content.toString('utf8'));
  };
  async function* rowsOf(table: string): AsyncGenerator<string, void> {
    const entry = entryByName.get(dataName(table));
    if (entry === undefined) return;
    for await (const json of readJsonRows(zip.stream(entry), { maxRowBytes: MAX_ROW_BYTES })) {
      signal.throwIfAborted();
      yield json;
    }
  }
  /** The sessions whose turns could not be exported, and of which the file contains no turn. */
  async function findEmptied(): Promise<ReadonlySet<string>> {
    const note = entryByName.get(MISSING_TURNS_NAME);
    if (note === undefined) return new Set();
    if (note.bytes > MAX_ROW_BYTES) throw new Unreadable('import.too_large');
    const ids = new Set((await zip.read(note))?.toString('utf8').split('\n'));
    for await (const json of rowsOf(entities.aiConversations.name)) {
      const turn = z.object({ sessionId: z.string().nullish() }).safeParse(parseJson(json));
      if (!turn.success) throw new Unreadable('import.damaged');
      ids.delete(turn.data.sessionId ?? '');
    }
    return ids;
  }
  const users = z.array(z.object({ userId: z.uuid(), email: z.string().nullish() })).length(1);
  const owner = users.safeParse(await readJson(dataName(entities.users.name)));
  if (!owner.success) throw new Unreadable('import.not_an_export');
  const [profile] = owner.data;
  const manifest = checkManifest(await readJson(MANIFEST_NAME));
  if (profile === undefined || (manifest !== null && manifest.userId !== profile.userId))
    throw new Unreadable('import.damaged');
  checkTables(zip.entries);
  const { userId } = profile;
  const emptied = await findEmptied();
  let latestUpdate = new Date(0);
  let unusableWords = 0;
  for (const key of LEARNER_KEYS) {
    const { name: table, key: idField } = entities[key];
    const parse = rowParser(key, userId);
    for await (const json of rowsOf(table)) {
      const { values } = parse(json);
      // It would be finished here as an empty session. The server has it.
      if (key === 'practiceHistory' && values['status'] === 'in_progress' && emptied.has(String(values['id'])))
        continue;
      // Devices stored such attempts before they were refused, and no screen can show them.
      if (key === 'wordAttempts' && unusableAttemptField(values) !== null) {
        unusableWords += 1;
        continue;
      }
      const { updatedAt } = values;
      if (updatedAt instanceof Date && updatedAt > latestUpdate) latestUpdate = updatedAt;
      staged.add({ table, id: String(values[idField]), json });
    }
  }
  const parseRecording = deviceRowParser(RecordingRow, userId);
  const entryOf = (id: string): ZipEntry | undefined => entryByName.get(recordingName(`${id}.wav`));
  for await (const json of rowsOf(RECORDINGS)) {
    const { recordingId: id } = parseRecording(json);
    if (entryOf(id) !== undefined) staged.add({ table: RECORDINGS, id, json });
  }
  const parseDrill = deviceRowParser(DrillRow, userId);
  for await (const json of rowsOf(DRILLS)) {
    parseDrill(json);
    staged.add({ table: DRILLS, id: '', json });
  }
  return {
    userId,
    email: profile.email ?? null,
    exportedAt: manifest === null ? latestUpdate : new Date(manifest.exportedAt),
    isComplete: !entryByName.has(MISSING_TURNS_NAME),
    unusableWords,
    settings: parseSettings(await readJson(SETTINGS_NAME)),
    zip,
    *rows(key) {
      const parse = rowParser(key, userId);
      for (const { json } of staged.ofTable(entities[key].name)) yield parse(json);
    },
    *recordings() {
      for (const { id, json } of staged.ofTable(RECORDINGS)) {
        const entry = entryOf(id);
        if (entry !== undefined) yield { row: parseRecording(json), entry };
      }
    },
    *drills() {
      for (const { json } of staged.ofTable(DRILLS)) yield parseDrill(json);
    },
    find: (id) => staged.find(id),
    rowCount: () => staged.count(),
    close: () => staged.close(),
  };
}

/** A zip file that was cut off has a beginning but no end. */
async function isCutOff(handle: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
  return bytesRead === 2 && startsLikeZip(buffer);
}

/** Whether the first bytes of a file could be those of a zip file. */
export const startsLikeZip = (content: Buffer): boolean => 'PK'.startsWith(content.toString('latin1', 0, 2));

function checkEntries(entries: readonly ZipEntry[]): void {
  let dataBytes = 0;
  for (const { name, bytes, compressedBytes } of entries) {
    const parsed = parseEntryName(name);
    if (parsed === null) throw new Unreadable('import.not_an_export');
    if (parsed.kind === 'recording' && bytes > MAX_RECORDING_BYTES) throw new Unreadable('import.too_large');
    if (parsed.kind !== 'data') continue;
    dataBytes += bytes;
    if (bytes > MAX_SMALL_FILE_BYTES && bytes > MAX_RATIO * compressedBytes) throw new Unreadable('import.too_large');
  }
  if (dataBytes > MAX_DATA_BYTES) throw new Unreadable('import.too_large');
}

function checkManifest(json: unknown): ExportManifest | null {
  if (json === undefined) return null;
  const version = z.object({ product: z.literal('parley'), format: z.number() }).safeParse(json);
  if (!version.success) throw new Unreadable('import.not_an_export');
  if (version.data.format > EXPORT_FORMAT) throw new Unreadable('import.newer_version');
  const manifest = ExportManifest.safeParse(json);
  if (!manifest.success) throw new Unreadable('import.damaged');
  return manifest.data;
}

const KNOWN_NAMES: ReadonlySet<string> = new Set([
  MANIFEST_NAME,
  SETTINGS_NAME,
  ...LEARNER_KEYS.map((key) => dataName(entities[key].name)),
  // Rejected changes and unreadable rows are not imported; they stay with the device that exported them.
  ...DEVICE_TABLES_WITH_OWNER.map((table) => dataName(getTableName(table))),
]);

/** A table that this app does not know would be lost, so a newer app must import it. */
function checkTables(entries: readonly ZipEntry[]): void {
  if (entries.some(({ name }) => parseEntryName(name)?.kind === 'data' && !KNOWN_NAMES.has(name)))
    throw new Unreadable('import.newer_version');
}

/** The settings of another computer that make sense on this one. */
const PortableSettings = DeviceSettings.pick({
  theme: true,
  language: true,
  textSize: true,
  soundCues: true,
  captions: true,
  coachSpeed: true,
  ownLanguage: true,
  patienceMs: true,
  endsTurnAutomatically: true,
}).partial();

function parseSettings(json: unknown): Partial<DeviceSettings> {
  const { data = {} } = PortableSettings.safeParse(json ?? {});
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
}
