/** An address of a server as a learner types it. */
import { ok } from '@parley/domain';
import { type Answer, failed } from '../answer/index.ts';
import { isLoopback } from '../sync/index.ts';

/**
 * The server's origin: `https://parley.example`. Over plain `http` anybody on the way could read the account's secret, so that is taken only for
 * this computer.
 */
export function readServerAddress(typed: string): Answer<string> {
  const trimmed = typed.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  const named = hasScheme ? trimmed : `${isBareLoopback(trimmed) ? 'http' : 'https'}://${trimmed}`;
  const url = URL.parse(named);
  if (url === null || url.username !== '' || url.password !== '' || /\s/.test(trimmed))
    return failed('server.address_invalid');
  if (url.protocol === 'https:') return ok(url.origin);
  if (url.protocol !== 'http:') return failed('server.address_invalid');
  return isLoopback(url.origin) ? ok(url.origin) : failed('server.not_secure');
}

const isBareLoopback = (typed: string): boolean => {
  const url = URL.parse(`http://${typed}`);
  return url !== null && isLoopback(url.origin);
};
