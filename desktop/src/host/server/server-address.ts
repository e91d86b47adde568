/** An address of a server as a learner types it. */
import { checkServerAddress, isLoopbackName } from '@parley/contract';
import { ok } from '@parley/domain';
import { type Answer, failed } from '../answer/index.ts';

/** The server's origin: `https://parley.example`. */
export function readServerAddress(typed: string): Answer<string> {
  const trimmed = typed.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  const url = URL.parse(hasScheme ? trimmed : `${isBareLoopback(trimmed) ? 'http' : 'https'}://${trimmed}`);
  const trouble = checkServerAddress(url);
  if (trouble === 'not_secure') return failed('server.not_secure');
  return url === null || trouble !== null || /\s/.test(trimmed) ? failed('server.address_invalid') : ok(url.origin);
}

const isBareLoopback = (typed: string): boolean => isLoopbackName(URL.parse(`http://${typed}`)?.hostname ?? '');
