/** Recognises why a server cannot be used although something answers at its address. */
import type { ConnectionObstacle } from '@parley/contract';

const OBSTACLES_BY_CODE: ReadonlyMap<string, ConnectionObstacle> = new Map([
  ['CERT_HAS_EXPIRED', 'certificate_expired'],
  ['CERT_NOT_YET_VALID', 'certificate_not_yet_valid'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate_other_name'],
]);

/** Matches the other certificate error codes of OpenSSL and Node, and a server that does not speak TLS. */
const CERTIFICATE_CODES = /CERT|SIGNATURE|ERR_TLS|UNABLE_TO_VERIFY|SSL/;

/** Returns the reason for which `fetch` refused the server's certificate, or null if it failed for another reason. */
export function certificateObstacle(error: unknown): ConnectionObstacle | null {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  return OBSTACLES_BY_CODE.get(code) ?? (CERTIFICATE_CODES.test(code) ? 'certificate_not_trusted' : null);
}

const NETWORK_AUTHENTICATION_REQUIRED = 511;

/** A page with another status of 500 or more comes from the server's own proxy while the server is down. */
export const pageObstacle = (status: number): ConnectionObstacle | null =>
  status < 500 || status === NETWORK_AUTHENTICATION_REQUIRED ? 'network_page' : null;
