/**
 * Downloads all copies of recordings that other devices have made, because this device is about to leave the account.
 */
import type { Logger } from '../logger.ts';
import type { HostFailure, HostResult } from '../result/index.ts';
import { toFailure } from '../server/index.ts';
import { hasRoomFor, type Store } from '../store/index.ts';
import type { CopyRow } from './keeping-state.ts';

export interface FetchCopiesParts {
  store: Pick<Store, 'dataDir'>;
  logger: Logger;
  /** The copies that only the server has, according to its current list. */
  listMissing: () => Promise<CopyRow[]>;
  fetch: (copy: CopyRow) => Promise<HostResult<Uint8Array>>;
}

/**
 * Failures that may pass by themselves or that the learner can resolve. In all other cases, the server does not have
 * the copies or will never send them to this device.
 */
const REASONS_TO_WAIT: ReadonlySet<string> = new Set([
  'sync.offline',
  'storage.full',
  'storage.unavailable',
  'request.too_many',
]);

export async function fetchCopies(parts: FetchCopiesParts): Promise<HostFailure | null> {
  const { store, logger, listMissing, fetch } = parts;
  try {
    const missing = await listMissing();
    if (missing.length === 0) return null;
    const neededBytes = missing.reduce((sum, { bytes }) => sum + bytes, 0);
    if (!(await hasRoomFor(store.dataDir, neededBytes))) return { code: 'storage.full' };
    for (const copy of missing) {
      const opus = await fetch(copy).catch((error: unknown) => ({ ok: false as const, error: toFailure(error) }));
      if (opus.ok) continue;
      if (REASONS_TO_WAIT.has(opus.error.code)) return opus.error;
      logger.warn({ code: opus.error.code, recordingId: copy.recordingId }, 'recording_copy_left_behind');
    }
    return null;
  } catch (error) {
    const failure = toFailure(error);
    return REASONS_TO_WAIT.has(failure.code) ? failure : null;
  }
}
