/** What this device sets right by itself, before it asks again, when the server and it do not fit together. */
import { RESYNC_REASONS } from '@parley/contract';
import type { HostFailure } from '../answer/index.ts';
import type { Logger } from '../logger.ts';
import type { Store } from '../store/index.ts';
import { rejectOversized } from './quarantine.ts';
import { beginResync } from './resync.ts';

/** `true`: everything is to be fetched again. */
export function recover({ code, detail }: HostFailure, { store, logger }: { store: Store; logger: Logger }): boolean {
  if (code === 'request.too_large') rejectOversized(store);
  if (code !== 'sync.resync') return false;
  const reason = RESYNC_REASONS.find((known) => known === detail) ?? 'purged';
  logger.warn({ reason }, 'resync_started');
  beginResync(store, reason);
  return true;
}
