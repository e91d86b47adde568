/** Which protocol versions are spoken here: this one and the one before. */
import { OLDEST_SYNC_PROTOCOL, SYNC_PROTOCOL } from '@parley/contract';
import { failure } from '../failure.ts';

export type SpokenProtocol = 2 | 3;

export function requireKnownProtocol(protocol: number): SpokenProtocol {
  if (protocol < OLDEST_SYNC_PROTOCOL) throw failure('sync.protocol_too_old');
  if (protocol > SYNC_PROTOCOL) throw failure('sync.protocol_too_new');
  return protocol === 2 ? 2 : 3;
}
