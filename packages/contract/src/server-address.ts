/** Decides which server addresses the app accepts, whatever their source. */
import { isLoopbackName } from './loopback.ts';

/**
 * Returns what is wrong with an address, or null. Plain `http` would expose the learner's work and the account's secret on the network, so
 * it is accepted only for this machine.
 */
export function checkServerAddress(url: URL | null): 'invalid' | 'not_secure' | null {
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return 'invalid';
  if (url.protocol === 'http:' && !isLoopbackName(url.hostname)) return 'not_secure';
  return url.username === '' && url.password === '' ? null : 'invalid';
}
