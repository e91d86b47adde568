/** Repairs a mismatch between this device and the server before the next request. */
import { RESYNC_REASONS } from '@parley/contract';
import type { HostFailure } from '../../result/index.ts';
import type { Logger } from '../../logger.ts';
import type { Store } from '../../store/index.ts';
import { rejectOversized } from '../quarantine/quarantine.ts';
import { beginResync } from './resync.ts';

/** Returns true if everything must be pulled again. */
export function recover({ code, detail }: HostFailure, { store, logger }: { store: Store; logger: Logger }): boolean {
  if (code === 'request.too_large') rejectOversized(store);
  if (code !== 'sync.resync') return false;
  const reason = RESYNC_REASONS.find((known) => known === detail) ?? 'purged';
  logger.warn({ reason }, 'resync_started');
  beginResync(store, reason);
  return true;
}
