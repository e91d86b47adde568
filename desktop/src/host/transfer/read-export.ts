/** Opens and checks an export: whose it is, that all of it is there, and that this app understands every row. */
import { DeviceSettings } from '@parley/contract';
import {
  entities,
  err,
  type Field,
  FieldClocks,
  HYBRID_TIME,
  isProjection,
  ok,
  type Result,
  wireSchema,
} from '@parley/domain';
import { getTableName } from 'drizzle-orm';
import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import { DEVICE_TABLES_WITH_OWNER, LEARNER_KEYS, type LearnerKey } from '../store/index.ts';
import { DrillRow, RecordingRow } from './device-rows.ts';
import {
  dataName,
  EXPORT_FORMAT,
  ExportManifest,
  MANIFEST_NAME,
  MAX_DATA_BYTES,
  MAX_ENTRIES,
  MAX_RECORDING_BYTES,
  MAX_TABLE_BYTES,
  parseEntryName,
  recordingName,
  SETTINGS_NAME,
} from './export-format.ts';
import { orUpdateTime, type Values } from './field-times.ts';
import { readZip, type ZipEntry, type ZipReader } from './zip-reader.ts';

export interface ExportedRow {
  key: LearnerKey;
  /** Without what each side computes for itself. */
  values: Values;
  clocks: FieldClocks;
}

export interface ExportedRecording {
  row: RecordingRow;
  entry: ZipEntry;
}

export interface ReadExport {
  userId: string;
  email: string | null;
  exportedAt: Date;
  rows: ExportedRow[];
  recordings: ExportedRecording[];
  drills: DrillRow[];
  settings: Partial<DeviceSettings>;
  zip: ZipReader;
}

export const IMPORT_FAILURES = [
  'import.not_an_export',
  'import.damaged',
  'import.newer_version',
  'import.too_large',
] as const;
export type ImportFailure = (typeof IMPORT_FAILURES)[number];

class Unreadable extends Error {
  readonly failure: ImportFailure;
  constructor(failure: ImportFailure) {
    super(failure);
    this.failure = failure;
  }
}

export async function readExport(handle: FileHandle): Promise<Result<ReadExport, ImportFailure>> {
  try {
    return ok(await parseExport(handle));
  } catch (error) {
    if (error instanceof Unreadable) return err(error.failure);
    throw error;
  }
}

async function parseExport(handle: FileHandle): Promise<ReadExport> {
  const zip = await readZip(handle, { maxEntries: MAX_ENTRIES });
  if (zip === 'not_a_zip')
    throw new Unreadable((await startsLikeZip(handle)) ? 'import.damaged' : 'import.not_an_export');
  if (zip === 'too_large') throw new Unreadable('import.too_large');
  if (zip === 'damaged') throw new Unreadable('import.damaged');
  checkEntries(zip.entries);
  const entryByName = new Map(zip.entries.map((entry) => [entry.name, entry]));
  const readJson = async (name: string): Promise<unknown> => {
    const entry = entryByName.get(name);
    return entry === undefined ? undefined : parseJson(await zip.read(entry));
  };
  const users = z.array(z.object({ userId: z.uuid(), email: z.string().nullish() })).length(1);
  const owner = users.safeParse(await readJson(dataName(entities.users.name)));
  if (!owner.success) throw new Unreadable('import.not_an_export');
  const [profile] = owner.data;
  const manifest = checkManifest(await readJson(MANIFEST_NAME));
  if (profile === undefined || (manifest !== null && manifest.userId !== profile.userId))
    throw new Unreadable('import.damaged');
  checkTables(zip.entries);
  const { userId } = profile;
  const rows: ExportedRow[] = [];
  for (const key of LEARNER_KEYS) rows.push(...parseRows(key, userId, await readJson(dataName(entities[key].name))));
  const recordings = parseList(RecordingRow, await readJson(dataName('recordings')));
  const drills = parseList(DrillRow, await readJson(dataName('drill_attempts')));
  if ([...recordings, ...drills].some((row) => row.userId !== userId)) throw new Unreadable('import.damaged');
  return {
    userId,
    email: profile.email ?? null,
    exportedAt: manifest === null ? latestUpdate(rows) : new Date(manifest.exportedAt),
    rows,
    recordings: recordings.flatMap((row) => {
      const entry = entryByName.get(recordingName(`${row.recordingId}.wav`));
      return entry === undefined ? [] : [{ row, entry }];
    }),
    drills,
    settings: parseSettings(await readJson(SETTINGS_NAME)),
    zip,
  };
}

/** A zip file that was cut off has a beginning and no end. */
async function startsLikeZip(handle: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
  return bytesRead === 2 && buffer.toString('latin1') === 'PK';
}

function checkEntries(entries: readonly ZipEntry[]): void {
  let dataBytes = 0;
  for (const { name, bytes } of entries) {
    const parsed = parseEntryName(name);
    if (parsed === null) throw new Unreadable('import.not_an_export');
    if (parsed.kind === 'data') dataBytes += bytes;
    if (parsed.kind === 'data' && bytes > MAX_TABLE_BYTES) throw new Unreadable('import.too_large');
    if (parsed.kind === 'recording' && bytes > MAX_RECORDING_BYTES) throw new Unreadable('import.too_large');
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
  // Recordings and drills are imported. What a server refused or this device could not read stays with the device that exported it.
  ...DEVICE_TABLES_WITH_OWNER.map((table) => dataName(getTableName(table))),
]);

/** A table that this app does not know would be lost, so a newer app must import it. */
function checkTables(entries: readonly ZipEntry[]): void {
  if (entries.some(({ name }) => parseEntryName(name)?.kind === 'data' && !KNOWN_NAMES.has(name)))
    throw new Unreadable('import.newer_version');
}

function parseJson(content: Buffer | null): unknown {
  if (content === null) throw new Unreadable('import.damaged');
  try {
    return JSON.parse(content.toString('utf8')) as unknown;
  } catch {
    throw new Unreadable('import.damaged');
  }
}

function parseList<Row>(schema: z.ZodType<Row>, json: unknown): Row[] {
  if (json === undefined) return [];
  const rows = z.array(schema).safeParse(json);
  if (!rows.success) throw new Unreadable('import.damaged');
  return rows.data;
}

function parseRows(key: LearnerKey, userId: string, json: unknown): ExportedRow[] {
  const entity = entities[key];
  const declared: Readonly<Record<string, Field>> = entity.fields;
  const schema = z.object(
    Object.fromEntries(Object.entries(wireSchema(entity).shape).filter(([name]) => !isProjection(entity, name))),
  );
  return parseList(z.record(z.string(), z.unknown()), json).map((row): ExportedRow => {
    const { fieldClocks, ...named } = row;
    if (Object.keys(named).some((name) => !Object.hasOwn(declared, name))) throw new Unreadable('import.newer_version');
    const complete = { ...initialsOf(declared), ...named };
    const parsed = schema.safeParse(complete);
    if (!parsed.success || parsed.data['userId'] !== userId) throw new Unreadable('import.damaged');
    return { key, values: parsed.data, clocks: orUpdateTime(key, parsed.data, parseTimes(fieldClocks)) };
  });
}

/** A field that is younger than the export. */
const initialsOf = (declared: Readonly<Record<string, Field>>): Values =>
  Object.fromEntries(
    Object.entries(declared).flatMap(([name, { initial }]) => (initial === undefined ? [] : [[name, initial]])),
  );

function parseTimes(value: unknown): FieldClocks {
  const times = FieldClocks.safeParse(value ?? {});
  if (!times.success || !Object.values(times.data).every((time) => HYBRID_TIME.test(time)))
    throw new Unreadable('import.damaged');
  return times.data;
}

/** The settings of another computer that make sense on this one. */
const PortableSettings = DeviceSettings.pick({
  theme: true,
  language: true,
  textSize: true,
  captions: true,
  coachSpeed: true,
  ownLanguage: true,
  patienceMs: true,
}).partial();

function parseSettings(json: unknown): Partial<DeviceSettings> {
  const { data = {} } = PortableSettings.safeParse(json ?? {});
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
}

const latestUpdate = (rows: readonly ExportedRow[]): Date =>
  rows.reduce((latest, { values: { updatedAt } }) => {
    return updatedAt instanceof Date && updatedAt > latest ? updatedAt : latest;
  }, new Date(0));
