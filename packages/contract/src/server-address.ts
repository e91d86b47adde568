/** At which addresses an app speaks to a server, whoever named them. */
import { isLoopbackName } from './loopback.ts';

/**
 * What is wrong with an address; null when nothing is. Over plain `http` anybody on the way could read the learner's work and the account's
 * secret, so that is taken only for this machine.
 */
export function checkServerAddress(url: URL | null): 'invalid' | 'not_secure' | null {
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return 'invalid';
  if (url.protocol === 'http:' && !isLoopbackName(url.hostname)) return 'not_secure';
  return url.username === '' && url.password === '' ? null : 'invalid';
}
