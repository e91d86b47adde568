/** Asks whoever is at an address whether they are a Parley server that this app can speak with. No secret is sent. */
import { ABOUT_PATH, OLDEST_SYNC_PROTOCOL, ServerAbout, SYNC_PROTOCOL } from '@parley/contract';
import { ok } from '@parley/domain';
import { type Answer, failed } from '../answer/index.ts';

const ANSWERS_WITHIN_MS = 8_000;
/** Far more than a server says of itself. */
const MAX_ANSWER_CHARACTERS = 10_000;

export async function askServer(url: string): Promise<Answer<ServerAbout>> {
  let text: string;
  try {
    const response = await fetch(new URL(ABOUT_PATH, url), {
      headers: { accept: 'application/json' },
      // Another place than the one that was typed is not asked.
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    });
    if (response.status >= 500) return failed('server.unreachable', { detail: String(response.status) });
    if (!response.ok) return failed('server.not_parley');
    text = await response.text();
  } catch (error) {
    return failed(isDistrusted(error) ? 'server.not_trusted' : 'server.unreachable');
  }
  const about = ServerAbout.safeParse(text.length > MAX_ANSWER_CHARACTERS ? null : parseJson(text));
  if (!about.success) return failed('server.not_parley');
  const { oldest, newest } = about.data.protocols;
  if (oldest > SYNC_PROTOCOL) return failed('sync.protocol_too_old');
  if (newest < OLDEST_SYNC_PROTOCOL) return failed('sync.protocol_too_new');
  return ok(about.data);
}

/** How OpenSSL and Node call a certificate that does not prove whose server it is. */
const CERTIFICATE_CODES = /CERT|SIGNATURE|ERR_TLS|UNABLE_TO_VERIFY|SSL/;

function isDistrusted(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  return CERTIFICATE_CODES.test(code);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
