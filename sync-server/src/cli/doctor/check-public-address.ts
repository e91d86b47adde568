/** Checks for `doctor` that the address in links and e-mails leads to this server. */
import { SERVER_INFO_PATH, ServerInfo } from '@parley/contract';
import type { Config } from '../../compose/config/config.ts';
import type { Finding } from '../command.ts';

const TIMEOUT_MS = 5_000;
const MISDIRECTED = 421;
/** A load balancer answers with these while no server runs behind it. */
const NO_SERVER = new Set([502, 503, 504]);

export async function checkPublicAddress(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  serverId: string | null,
): Promise<Finding[]> {
  if (publicUrl === null) return [];
  const found = (isGood: boolean, text: string): Finding[] => [{ name: 'public address', isGood, text }];
  const silent = found(true, `nothing answers at ${publicUrl} now: run this again while the server runs`);
  let response: Response;
  try {
    response = await fetch(`${publicUrl}${SERVER_INFO_PATH}`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOTFOUND')
      return found(false, `${publicUrl} has no address in the DNS: correct PUBLIC_URL or the DNS.`);
    return /CERT|SIGNATURE|TLS|SSL/.test(code)
      ? found(false, `the certificate of ${publicUrl} is not valid (${code}): renew or correct it.`)
      : silent;
  }
  const { status } = response;
  if (NO_SERVER.has(status)) return silent;
  if (status === MISDIRECTED)
    return found(false, `${publicUrl} does not pass the Host header on: correct the load balancer, or ALLOWED_HOSTS.`);
  const target = response.headers.get('location');
  if (status >= 300 && status < 400 && target !== null && URL.canParse(target, publicUrl))
    return found(
      false,
      `${publicUrl} redirects to ${new URL(target, publicUrl).origin}: apps follow no redirect, so correct PUBLIC_URL or the load balancer.`,
    );
  const info = ServerInfo.safeParse(await response.json().catch(() => null));
  if (!info.success)
    return found(
      false,
      `${publicUrl} is not a Parley server (status ${status}): correct PUBLIC_URL or the load balancer.`,
    );
  return info.data.id === serverId
    ? found(true, `${publicUrl} leads to this server`)
    : found(false, `${publicUrl} leads to another Parley server: correct PUBLIC_URL, the DNS or the load balancer.`);
}

/** The code of the error below that of `fetch`; empty when there is none. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}
