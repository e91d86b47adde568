/** The format of an export: names, version and limits that the export and the import share. */
import { MAX_TURN_MS, PCM_SAMPLE_RATE_HZ } from '@parley/contract';
import { z } from 'zod';

/** Raised when an older app can no longer import what a newer one exports. */
export const EXPORT_FORMAT = 1;
export const MANIFEST_NAME = 'data/export.json';
export const SETTINGS_NAME = 'data/device_settings.json';

/** Exports from the first versions have no manifest; the owner is identified by their only row in `users`. */
export const ExportManifest = z.object({
  product: z.literal('parley'),
  format: z.number().int().min(1),
  appVersion: z.string().max(80),
  userId: z.uuid(),
  exportedAt: z.iso.datetime(),
});
export type ExportManifest = z.infer<typeof ExportManifest>;

export const dataName = (table: string): string => `data/${table}.json`;
/**
 * Copies of other devices' recordings. They are for the learner: an import leaves them out, because the server has
 * them.
 */
export const copyName = (recordingId: string): string => `copies/${recordingId}.opus`;
export const MISSING_COPIES_NAME = 'MISSING COPIES.txt';
export const MISSING_TURNS_NAME = 'MISSING CONVERSATIONS.txt';
export const recordingName = (fileName: string): string => `recordings/${fileName}`;

const DATA_NAME = /^data\/([a-z_]+)\.json$/;
const RECORDING_NAME = /^recordings\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.wav$/;
const IGNORED_NAME =
  /^(?:READ ME\.txt|MISSING COPIES\.txt|MISSING CONVERSATIONS\.txt|data\/[a-z_]+\.csv|copies\/[0-9a-f-]{36}\.opus)$/;

/** Returns null for a name that no export contains. No file name is ever taken from the import. */
export function parseEntryName(
  name: string,
): { kind: 'data'; table: string } | { kind: 'recording'; recordingId: string } | { kind: 'ignored' } | null {
  const table = DATA_NAME.exec(name)?.[1];
  if (table !== undefined) return { kind: 'data', table };
  const recordingId = RECORDING_NAME.exec(name)?.[1];
  if (recordingId !== undefined) return { kind: 'recording', recordingId };
  return IGNORED_NAME.test(name) ? { kind: 'ignored' } : null;
}

/** 500 recordings a day for ten years. */
export const MAX_ENTRIES = 2_000_000;
const MIB = 1_048_576;
/** Twenty minutes of speech a day for ten years stay below this. */
export const MAX_DATA_BYTES: number = 32 * 1_024 * MIB;
/** The longest row is the word list, whose entity allows 8 MiB. */
export const MAX_ROW_BYTES: number = 16 * MIB;
/** For files that are read in one piece, such as the manifest and the profile. */
export const MAX_SMALL_FILE_BYTES: number = MIB;
/** Rows from real practice compress to between a fifth and a twentieth. */
export const MAX_RATIO = 100;
/** A chunk that crosses the limit of a turn is stored completely. */
export const MAX_RECORDING_BYTES: number = (MAX_TURN_MS / 1000) * PCM_SAMPLE_RATE_HZ * 2 + MIB;
