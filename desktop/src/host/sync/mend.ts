/** What this device sets right of its own, before it asks again, when the server and it do not fit together. */
import { RESYNC_REASONS, type ResyncReason } from '@parley/contract';
import type { HostFailure } from '../answer/index.ts';
import type { Logger } from '../logger.ts';
import type { Store } from '../store/index.ts';
import { answeredSeq } from './pull-pages.ts';
import { recount, rejectOversized } from './push-changes.ts';
import { beginResync } from './resync.ts';

interface MendParts {
  store: Store;
  logger: Logger;
}

/** `true`: everything is to be fetched again. */
export function mend({ code, detail }: HostFailure, parts: MendParts): boolean {
  const { store } = parts;
  switch (code) {
    case 'sync.resync':
      startAgain(parts, RESYNC_REASONS.find((reason) => reason === detail) ?? 'purged');
      return true;
    case 'sync.gap':
      // The server knows of fewer of our changes than it has confirmed: it was put back in time.
      if (Number(detail) < answeredSeq(store)) {
        startAgain(parts, 'lost');
        return true;
      }
      recount(store);
      return false;
    case 'request.too_large':
      rejectOversized(store);
      return false;
    default:
      return false;
  }
}

function startAgain({ store, logger }: MendParts, reason: ResyncReason): void {
  logger.warn({ reason }, 'everything is fetched again');
  beginResync(store, reason);
  if (reason === 'lost') recount(store);
}
