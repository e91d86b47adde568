/** Parses a server address that a learner typed. */
import { checkServerAddress, isLoopbackName } from '@parley/contract';
import { ok } from '@parley/domain';
import { type HostResult, failed } from '../result/index.ts';

/** Returns the server's origin, such as `https://parley.example`. */
export function parseServerAddress(typed: string): HostResult<string> {
  const trimmed = typed.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  const url = URL.parse(hasScheme ? trimmed : `${isBareLoopback(trimmed) ? 'http' : 'https'}://${trimmed}`);
  const problem = checkServerAddress(url);
  if (problem === 'not_secure') return failed('server.not_secure');
  return url === null || problem !== null || /\s/.test(trimmed) ? failed('server.address_invalid') : ok(url.origin);
}

const isBareLoopback = (typed: string): boolean => isLoopbackName(URL.parse(`http://${typed}`)?.hostname ?? '');
