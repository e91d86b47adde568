/** Imports an export of this product: receives the file, shows what it would change, and brings it in. */
import { IMPORT_CHUNK_BYTES, type ImportPreview, type ImportResult, PCM_SAMPLE_RATE_HZ } from '@parley/contract';
import { ok } from '@parley/domain';
import { parseWav } from '@parley/speech';
import { mkdirSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../logger.ts';
import { failed, type HostResult } from '../result/index.ts';
import { DEFAULT_DEVICE_SETTINGS, type Settings } from '../settings/index.ts';
import { isDiskFullError, type Store, users } from '../store/index.ts';
import { eq } from 'drizzle-orm';
import { changeOwner } from './change-owner.ts';
import type { RecordingRow } from './device-rows.ts';
import { type ImportPlan, planImport } from './plan-import.ts';
import { type ExportedRecording, type ReadExport, readExport } from './read-export.ts';
import { writeImport } from './write-import.ts';

export interface Importer {
  begin(): Promise<{ importId: string }>;
  append(chunk: { importId: string; offset: number; bytes: Blob }): Promise<HostResult<{ received: number }>>;
  preview(at: { importId: string }): Promise<HostResult<ImportPreview>>;
  apply(at: { importId: string }): Promise<HostResult<ImportResult>>;
  progress(at: { importId: string }): HostResult<{ done: number; total: number }>;
  cancel(at: { importId: string }): Promise<void>;
}

interface ReceivedFile {
  importId: string;
  handle: FileHandle;
  bytes: number;
  copied: { done: number; total: number };
  /** Chunks, previews and the import itself run one after the other. */
  queue: Promise<unknown>;
}

const FOLDER = 'imports';

interface ImporterParts {
  store: Store;
  settings: Settings;
  logger: Logger;
}

export function createImporter({ store, settings, logger }: ImporterParts): Importer {
  const folder = join(store.dataDir, FOLDER);
  // A file that was received before a crash is of no use any more; the learner still has theirs.
  rmSync(folder, { recursive: true, force: true });
  let received: ReceivedFile | null = null;

  async function discard(): Promise<void> {
    const file = received;
    received = null;
    await file?.handle.close().catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  }

  /** Runs the work after everything that was asked before. */
  async function withFile<Value>(
    importId: string,
    work: (file: ReceivedFile) => Promise<HostResult<Value>>,
  ): Promise<HostResult<Value>> {
    const file = received;
    if (file?.importId !== importId) return failed('import.not_found');
    const result = file.queue.then(() => (received === file ? work(file) : failed('import.not_found')));
    file.queue = result.catch(() => undefined);
    return result;
  }

  /** Opens the export as the learner's own, or says why it cannot be imported. */
  async function openExport({ handle }: ReceivedFile): Promise<HostResult<ReadExport>> {
    const file = await readExport(handle);
    if (!file.ok) return failed(file.error);
    const { userId } = store.identity();
    if (file.value.userId === userId) return file;
    const { email } = file.value;
    // Without their address, two learners on one account would be mixed, or one learner would have everything twice.
    if (email !== null && email !== ownEmail()) return failed('import.other_learner', { detail: email });
    return ok(changeOwner(store, file.value, userId));
  }

  const ownEmail = (): string | null =>
    store.db.select({ email: users.email }).from(users).where(eq(users.userId, store.identity().userId)).get()?.email ??
    null;

  async function applyFile(receivedFile: ReceivedFile): Promise<HostResult<ImportResult>> {
    const opened = await openExport(receivedFile);
    if (!opened.ok) return opened;
    const file = opened.value;
    const { recordings } = planImport(store, file);
    receivedFile.copied = { done: 0, total: recordings.length };
    const copied: RecordingRow[] = [];
    let plan: ImportPlan | null;
    try {
      for (const recording of recordings) {
        if (await copyRecording(store.dataDir, file, recording)) copied.push(recording.row);
        receivedFile.copied.done += 1;
      }
      plan = store.transaction((): ImportPlan | null => {
        // The rows were prepared for the account that was open when the copying began.
        if (store.identity().userId !== file.userId) return null;
        // What happened here since then counts.
        const now = planImport(store, file);
        writeImport(store, { rows: now.rows, recordings: copied, drills: file.drills });
        return now;
      });
    } catch (error) {
      removeRecordings(copied);
      if (isDiskFullError(error)) return failed('storage.full');
      throw error;
    }
    if (plan === null) {
      removeRecordings(copied);
      return failed('import.account_changed');
    }
    importSettings(file);
    logger.info({ rows: plan.rows.length, recordings: copied.length }, 'export_imported');
    const newRows = (key: string): number => plan.rows.filter((row) => row.key === key && row.isNew).length;
    return ok({
      practices: newRows('practiceHistory'),
      words: newRows('wordAttempts'),
      recordings: copied.length,
      damagedRecordings: recordings.length - copied.length,
    });
  }

  function removeRecordings(copied: readonly RecordingRow[]): void {
    for (const { recordingId } of copied) rmSync(recordingFile(store.dataDir, recordingId), { force: true });
  }

  /** What the learner has chosen on this computer stays. */
  function importSettings({ settings: theirs }: ReadExport): void {
    const ours = settings.read().device;
    const unchanged = Object.entries(theirs).filter(([name]) => {
      const key = name as keyof typeof DEFAULT_DEVICE_SETTINGS;
      return ours[key] === DEFAULT_DEVICE_SETTINGS[key];
    });
    if (unchanged.length > 0) settings.updateDevice(Object.fromEntries(unchanged));
  }

  return {
    async begin() {
      await discard();
      mkdirSync(folder, { recursive: true });
      const importId = crypto.randomUUID();
      const handle = await open(join(folder, `${importId}.zip`), 'wx+');
      received = { importId, handle, bytes: 0, copied: { done: 0, total: 0 }, queue: Promise.resolve() };
      return { importId };
    },

    append: ({ importId, offset, bytes }) =>
      withFile(importId, async (file) => {
        if (bytes.size > IMPORT_CHUNK_BYTES) return failed('request.too_large', { field: 'bytes' });
        if (offset + bytes.size <= file.bytes) return ok({ received: file.bytes });
        if (offset !== file.bytes) return failed('request.invalid', { field: 'offset' });
        try {
          await file.handle.write(new Uint8Array(await bytes.arrayBuffer()), 0, bytes.size, offset);
        } catch (error) {
          if (isDiskFullError(error)) return failed('storage.full');
          throw error;
        }
        file.bytes += bytes.size;
        return ok({ received: file.bytes });
      }),

    preview: ({ importId }) =>
      withFile(importId, async (file) => {
        const opened = await openExport(file);
        return opened.ok ? ok(describe(opened.value, planImport(store, opened.value))) : opened;
      }),

    apply: ({ importId }) =>
      withFile(importId, async (file) => {
        const result = await applyFile(file);
        if (result.ok) await discard();
        return result;
      }),

    progress: ({ importId }) =>
      received?.importId === importId ? ok({ ...received.copied }) : failed('import.not_found'),

    async cancel({ importId }) {
      if (received?.importId === importId) await discard();
    },
  };
}

const recordingFile = (dataDir: string, recordingId: string): string =>
  join(dataDir, 'recordings', `${recordingId}.wav`);

/** Returns false for a recording that is damaged. Nothing is written under a name from the file. */
async function copyRecording(
  dataDir: string,
  { zip }: ReadExport,
  { row, entry }: ExportedRecording,
): Promise<boolean> {
  const content = await zip.read(entry);
  if (content === null) return false;
  const wav = parseWav(content);
  if (!wav.ok || wav.value.sampleRateHz !== PCM_SAMPLE_RATE_HZ || wav.value.channels !== 1) return false;
  const file = recordingFile(dataDir, row.recordingId);
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

function describe(file: ReadExport, plan: ImportPlan): ImportPreview {
  const counted = (belongs: (key: string) => boolean): ImportPreview['practices'] => ({
    inFile: file.rows.filter(({ key }) => belongs(key)).length,
    toImport: plan.rows.filter(({ key }) => belongs(key)).length,
  });
  const isCounted = (key: string): boolean => key === 'practiceHistory' || key === 'wordAttempts';
  return {
    exportedAt: file.exportedAt,
    email: file.email,
    practices: counted((key) => key === 'practiceHistory'),
    words: counted((key) => key === 'wordAttempts'),
    recordings: { inFile: file.recordings.length, toImport: plan.recordings.length },
    others: counted((key) => !isCounted(key)),
  };
}
