/** Copies the recordings of an import. */
import { rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { isOwnWav } from '../recordings/index.ts';
import { hasRoomFor } from '../store/index.ts';
import type { ReadExport } from './read-export.ts';
import type { ZipEntry } from './zip-reader.ts';

export const recordingFile = (dataDir: string, recordingId: string): string =>
  join(dataDir, 'recordings', `${recordingId}.wav`);

/** A recording in the file that is not on this device. */
export interface MissingRecording {
  recordingId: string;
  entry: ZipEntry;
}

export const fitsOnDisk = (dataDir: string, missing: readonly MissingRecording[]): Promise<boolean> =>
  hasRoomFor(
    dataDir,
    missing.reduce((bytes, { entry }) => bytes + entry.bytes, 0),
  );

/** Returns false for a damaged recording. No file name is taken from the import. */
export async function copyRecording(
  dataDir: string,
  { zip }: ReadExport,
  { recordingId, entry }: MissingRecording,
): Promise<boolean> {
  const content = await zip.read(entry);
  if (content === null || !isOwnWav(content)) return false;
  const file = recordingFile(dataDir, recordingId);
  const handle = await open(file, 'w');
  try {
    await handle.writeFile(content);
    await handle.sync();
    await handle.close();
  } catch (error) {
    await handle.close().catch(() => undefined);
    rmSync(file, { force: true });
    throw error;
  }
  return true;
}
