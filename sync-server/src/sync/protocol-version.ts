/** Checks the sync protocol version of a request: the current one and the previous one are supported. */
import { OLDEST_SYNC_PROTOCOL, SYNC_PROTOCOL } from '@parley/contract';
import { DomainError } from '../domain-error.ts';

export type SpokenProtocol = 2 | 3;

export function requireKnownProtocol(protocol: number): SpokenProtocol {
  if (protocol < OLDEST_SYNC_PROTOCOL) throw new DomainError('sync.protocol_too_old');
  if (protocol > SYNC_PROTOCOL) throw new DomainError('sync.protocol_too_new');
  return protocol === 2 ? 2 : 3;
}
