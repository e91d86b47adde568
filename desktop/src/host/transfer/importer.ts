/** Imports an export of this product: receives the file, shows what it would change, and imports it. */
import { IMPORT_CHUNK_BYTES, type ImportPreview, type ImportResult } from '@parley/contract';
import { ok } from '@parley/domain';
import { mkdirSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import { failed, type HostResult } from '../result/index.ts';
import { DEFAULT_DEVICE_SETTINGS, type Settings } from '../settings/index.ts';
import { isDiskFullError, LEARNER_KEYS, type Store, users } from '../store/index.ts';
import { eq } from 'drizzle-orm';
import { changeOwner } from './change-owner.ts';
import { copyRecording, fitsOnDisk, recordingFile } from './copy-recording.ts';
import { countDeletedHere, listRecordings, planTable } from './plan-import.ts';
import { type ReadExport, readExport, startsLikeZip } from './read-export.ts';
import { withoutOrphans } from './without-orphans.ts';
import { type ImportCounts, writeImport } from './write-import.ts';

export interface Importer {
  begin(): Promise<{ importId: string }>;
  append(chunk: { importId: string; offset: number; bytes: Blob }): Promise<HostResult<{ received: number }>>;
  preview(at: { importId: string }): Promise<HostResult<ImportPreview>>;
  apply(at: { importId: string }): Promise<HostResult<ImportResult>>;
  progress(at: { importId: string }): HostResult<{ done: number; total: number }>;
  cancel(at: { importId: string }): Promise<void>;
  /** Stops a running import and removes the file, so that no copy of a learner's data stays behind. */
  close(): Promise<void>;
}

interface ReceivedFile {
  importId: string;
  handle: FileHandle;
  bytes: number;
  /** The parsed content; null if more bytes have arrived since it was read. */
  read: ReadExport | null;
  copied: { done: number; total: number };
  /** Aborted when the file is no longer wanted. */
  stopping: AbortController;
  /** Chunks, previews and the import itself run one after the other. */
  queue: Promise<unknown>;
}

const FOLDER = 'imports';
/** Yields, so that other requests are answered in between. */
const ROWS_AT_ONCE = 500;

interface ImporterParts {
  store: Store;
  settings: Settings;
  logger: Logger;
}

export function createImporter({ store, settings, logger }: ImporterParts): Importer {
  const folder = join(store.dataDir, FOLDER);
  // A file that was received before a crash is useless now; the learner still has the original.
  rmSync(folder, { recursive: true, force: true });
  let received: ReceivedFile | null = null;

  /**
   * Drops the file, in favour of the next one if there is one. Work on it stops soon, and only then are its files
   * deleted.
   */
  async function discard(next: ReceivedFile | null = null): Promise<void> {
    const file = received;
    received = next;
    if (file === null) return;
    file.stopping.abort();
    await file.queue;
    await remove(file);
  }

  /** Does the same for work on the file itself. If the file is dropped meanwhile, it is deleted after this work. */
  async function forget(file: ReceivedFile): Promise<void> {
    if (received !== file) return;
    received = null;
    await remove(file);
  }

  async function remove(file: ReceivedFile): Promise<void> {
    file.read?.close();
    await file.handle.close().catch(() => undefined);
    for (const path of [zipFile(file), stagingFile(file)]) rmSync(path, { force: true });
  }

  const zipFile = ({ importId }: ReceivedFile): string => join(folder, `${importId}.zip`);
  const stagingFile = ({ importId }: ReceivedFile): string => join(folder, `${importId}.rows`);

  /** Runs the work after everything that was requested before. */
  async function withFile<Value>(
    importId: string,
    work: (file: ReceivedFile) => Promise<HostResult<Value>>,
  ): Promise<HostResult<Value>> {
    const file = received;
    if (file?.importId !== importId) return failed('import.not_found');
    const result = file.queue
      .then(() => (received === file ? work(file) : failed('import.not_found')))
      .catch((error: unknown) => {
        if (file.stopping.signal.aborted) return failed('import.not_found');
        if (isDiskFullError(error)) return failed('storage.full');
        throw error;
      });
    file.queue = result.catch(() => undefined);
    return result;
  }

  /** Opens the export as the learner's own, or says why it cannot be imported. */
  async function openExport(file: ReceivedFile): Promise<HostResult<ReadExport>> {
    if (file.read === null) {
      rmSync(stagingFile(file), { force: true });
      const read = await readExport(file.handle, { stagingFile: stagingFile(file), signal: file.stopping.signal });
      if (!read.ok) return failed(read.error);
      file.read = read.value;
    }
    const { userId } = store.identity();
    if (file.read.userId === userId) return ok(withoutOrphans(store, file.read, { keepsDeleted: true }));
    const { email } = file.read;
    // Without an address, two learners in one account would be mixed, or one learner would have everything twice.
    if (email !== null && email !== ownEmail()) return failed('import.other_learner', { detail: email });
    return ok(changeOwner(store, file.read, userId));
  }

  const ownEmail = (): string | null =>
    store.db.select({ email: users.email }).from(users).where(eq(users.userId, store.identity().userId)).get()?.email ??
    null;

  async function describe({ stopping }: ReceivedFile, file: ReadExport): Promise<HostResult<ImportPreview>> {
    const counts = { practices: noneCounted(), words: noneCounted(), recordings: noneCounted(), others: noneCounted() };
    let examined = 0;
    for (const key of LEARNER_KEYS) {
      const count = counts[key === 'practiceHistory' ? 'practices' : key === 'wordAttempts' ? 'words' : 'others'];
      for (const planned of planTable(store, key, file.rows(key))) {
        count.inFile += 1;
        if (planned !== null) count.toImport += 1;
        examined += 1;
        if (examined % ROWS_AT_ONCE > 0) continue;
        await setImmediate();
        stopping.signal.throwIfAborted();
      }
    }
    const { inFile, missing } = listRecordings(store, file);
    counts.recordings = { inFile, toImport: missing.length };
    const deletedHere = countDeletedHere(store, file.rows('practiceHistory'));
    const { exportedAt, email, isComplete, unusableWords } = file;
    return ok({ exportedAt, email, isComplete, deletedHere, unusableWords, ...counts });
  }

  async function applyFile(receivedFile: ReceivedFile): Promise<HostResult<ImportResult>> {
    const opened = await openExport(receivedFile);
    if (!opened.ok) return opened;
    const file = opened.value;
    const { signal } = receivedFile.stopping;
    const { missing } = listRecordings(store, file);
    receivedFile.copied = { done: 0, total: missing.length };
    if (!(await fitsOnDisk(store.dataDir, missing))) return failed('storage.full');
    const copied = new Set<string>();
    let counts: HostResult<ImportCounts>;
    try {
      for (const recording of missing) {
        signal.throwIfAborted();
        if (await copyRecording(store.dataDir, file, recording)) copied.add(recording.recordingId);
        receivedFile.copied.done += 1;
      }
      signal.throwIfAborted();
      counts = store.transaction(() => {
        // The rows were prepared for the account that was signed in when copying began.
        if (store.identity().userId !== file.userId) return failed('import.account_changed');
        // Changes made here since the preview are taken into account.
        return ok(writeImport(store, file, copied));
      });
    } catch (error) {
      removeRecordings(copied);
      throw error;
    }
    if (!counts.ok) {
      removeRecordings(copied);
      return counts;
    }
    importSettings(file);
    const { rows, practices, words } = counts.value;
    logger.info({ rows, recordings: copied.size }, 'export_imported');
    return ok({
      practices,
      words,
      recordings: copied.size,
      damagedRecordings: missing.length - copied.size,
    });
  }

  function removeRecordings(copied: ReadonlySet<string>): void {
    for (const recordingId of copied) rmSync(recordingFile(store.dataDir, recordingId), { force: true });
  }

  /** The learner's settings on this computer are kept. */
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
      mkdirSync(folder, { recursive: true });
      const importId = crypto.randomUUID();
      const handle = await open(join(folder, `${importId}.zip`), 'wx+');
      const copied = { done: 0, total: 0 };
      const stopping = new AbortController();
      await discard({ importId, handle, bytes: 0, read: null, copied, stopping, queue: Promise.resolve() });
      return { importId };
    },

    append: ({ importId, offset, bytes }) =>
      withFile(importId, async (file) => {
        if (bytes.size > IMPORT_CHUNK_BYTES) return failed('request.too_large', { field: 'bytes' });
        if (offset + bytes.size <= file.bytes) return ok({ received: file.bytes });
        if (offset !== file.bytes) return failed('request.invalid', { field: 'offset' });
        const content = Buffer.from(await bytes.arrayBuffer());
        if (offset === 0 && !startsLikeZip(content)) {
          await forget(file);
          return failed('import.not_an_export');
        }
        await file.handle.write(content, 0, bytes.size, offset);
        file.read?.close();
        file.read = null;
        file.bytes += bytes.size;
        return ok({ received: file.bytes });
      }),

    preview: ({ importId }) =>
      withFile(importId, async (file) => {
        let preview: HostResult<ImportPreview> | null = null;
        try {
          const opened = await openExport(file);
          preview = opened.ok ? await describe(file, opened.value) : opened;
          return preview;
        } finally {
          // The file cannot be used, and it may contain years of practice.
          if (preview?.ok !== true) await forget(file);
        }
      }),

    apply: ({ importId }) =>
      withFile(importId, async (file) => {
        const result = await applyFile(file);
        if (result.ok) await forget(file);
        return result;
      }),

    progress: ({ importId }) =>
      received?.importId === importId ? ok({ ...received.copied }) : failed('import.not_found'),

    async cancel({ importId }) {
      if (received?.importId === importId) await discard();
    },

    close: () => discard(),
  };
}

const noneCounted = (): ImportPreview['practices'] => ({ inFile: 0, toImport: 0 });
