/**
 * A size-limited cache of copies that were played here, as files named by their hash. A copy that exists nowhere else
 * is never evicted.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { and, asc, eq, isNotNull } from 'drizzle-orm';
import { ConnectionLost } from '../server/index.ts';
import { recordingCopies, renameFile, type Store } from '../store/index.ts';
import { type CopyRow, listCopies } from './keeping-state.ts';

export interface CopyCache {
  /** Null when the copy is not here, or is damaged, in which case it is removed so that it can be downloaded again. */
  read(copy: CopyRow): Promise<Uint8Array | null>;
  /** Downloads a copy, resuming an earlier attempt. Null when the downloaded file is not that copy. */
  download(copy: CopyRow, from: (offset: number) => AsyncIterable<Uint8Array>): Promise<Uint8Array | null>;
  isOverLimit(): boolean;
  /**
   * Evicts the least recently played copies that the server has. Call this when the list of the server's copies is
   * fresh.
   */
  trim(): void;
  /** Removes the copies of a session. */
  removeSession(sessionId: string): void;
  /** Removes unfinished downloads of copies that no learner on this computer has any more. */
  removeUnlistedParts(): void;
}

const sha256Of = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

export function createCopyCache(store: Store, { maxBytes }: { maxBytes: number }): CopyCache {
  const { db } = store;
  /** Two readers of a copy, for example in two windows, share its download. */
  const downloadBySha256 = new Map<string, Promise<Uint8Array | null>>();
  const folder = join(store.dataDir, 'recordings', 'copies');
  const fileOf = ({ sha256 }: Pick<CopyRow, 'sha256'>, ending: 'opus' | 'part'): string =>
    join(folder, `${sha256}.${ending}`);
  const isCopy = ({ userId, recordingId }: CopyRow) =>
    and(eq(recordingCopies.userId, userId), eq(recordingCopies.recordingId, recordingId));
  const setPlayed = (copy: CopyRow, playedAt: Date | null): void =>
    store.transaction(() => {
      db.update(recordingCopies).set({ playedAt }).where(isCopy(copy)).run();
      // The copy can be played here from now on, so screens that show where it is must update.
      if (copy.playedAt === null) store.markChanged('recording_keeping');
    });

  function remove(copy: CopyRow): void {
    setPlayed(copy, null);
    rmSync(fileOf(copy, 'opus'), { force: true });
  }

  async function downloadFile(
    copy: CopyRow,
    from: (offset: number) => AsyncIterable<Uint8Array>,
  ): Promise<Uint8Array | null> {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const part = fileOf(copy, 'part');
    const arrived = sizeOf(part);
    const file = await open(part, arrived < copy.bytes ? 'a' : 'w', 0o600);
    let bytes = arrived < copy.bytes ? arrived : 0;
    try {
      for await (const chunk of from(bytes)) {
        bytes += chunk.byteLength;
        // A server that sends more than it announced must not fill the disk.
        if (bytes > copy.bytes) break;
        await file.write(chunk);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    // The next attempt continues from here.
    if (bytes < copy.bytes) throw new ConnectionLost('the recording ended early');
    const content = await readFile(part);
    if (bytes !== copy.bytes || sha256Of(content) !== copy.sha256) {
      rmSync(part, { force: true });
      return null;
    }
    renameFile(part, fileOf(copy, 'opus'));
    return content;
  }

  /** Cached copies of all learners on this computer, least recently played first. */
  const listCached = (): CopyRow[] =>
    db
      .select()
      .from(recordingCopies)
      .where(isNotNull(recordingCopies.playedAt))
      .orderBy(asc(recordingCopies.playedAt))
      .all();
  const excessBytes = (): number => listCached().reduce((sum, { bytes }) => sum + bytes, -maxBytes);

  return {
    async read(copy) {
      if (copy.playedAt === null) return null;
      const content = await readFile(fileOf(copy, 'opus')).catch(() => null);
      if (content !== null && sha256Of(content) === copy.sha256) {
        setPlayed(copy, store.clock.now());
        return content;
      }
      remove(copy);
      return null;
    },

    async download(copy, from) {
      const downloading = downloadBySha256.get(copy.sha256) ?? downloadFile(copy, from);
      downloadBySha256.set(copy.sha256, downloading);
      const content = await downloading.finally(() => downloadBySha256.delete(copy.sha256));
      if (content !== null) setPlayed(copy, store.clock.now());
      return content;
    },

    isOverLimit: () => excessBytes() > 0,

    trim() {
      let excess = excessBytes();
      // The most recently played copy is being played.
      for (const copy of listCached().slice(0, -1)) {
        if (excess <= 0) return;
        if (!copy.isOnServer) continue;
        remove(copy);
        excess -= copy.bytes;
      }
    },

    removeSession(sessionId) {
      for (const copy of listCopies(store, store.identity().userId))
        if (copy.sessionId === sessionId) {
          remove(copy);
          rmSync(fileOf(copy, 'part'), { force: true });
          if (!copy.isOnServer) db.delete(recordingCopies).where(isCopy(copy)).run();
        }
    },

    removeUnlistedParts() {
      const parts = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.part')) : [];
      if (parts.length === 0) return;
      const listed = new Set(
        db
          .select({ sha256: recordingCopies.sha256 })
          .from(recordingCopies)
          .all()
          .map((row) => `${row.sha256}.part`),
      );
      for (const name of parts) if (!listed.has(name)) rmSync(join(folder, name), { force: true });
    },
  };
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
