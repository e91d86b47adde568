/** Checks whether an address belongs to a compatible Parley server. No credentials are sent. */
import { SERVER_INFO_PATH, OLDEST_SYNC_PROTOCOL, ServerInfo, SYNC_PROTOCOL } from '@parley/contract';
import { ok, parseJsonOrNull } from '@parley/domain';
import { type HostResult, failed } from '../result/index.ts';
import { certificateObstacle } from '../server/index.ts';

const TIMEOUT_MS = 8_000;
/** A real server's response is far smaller. */
const MAX_RESPONSE_BYTES = 10_000;

export async function checkServer(url: string, signal?: AbortSignal): Promise<HostResult<ServerInfo>> {
  const untilTimeout = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal === undefined ? [] : [signal])]);
  const ask = (): Promise<Response> =>
    fetch(new URL(SERVER_INFO_PATH, url), {
      headers: { accept: 'application/json' },
      // A redirect would lead to a server other than the one the learner typed.
      redirect: 'manual',
      signal: untilTimeout,
    });
  let text: string | null;
  try {
    // A kept-alive connection may have been closed by a restart of the server, which shows only when it is used again.
    const response = await ask().catch(ask);
    if (response.status >= 500) return failed('server.unreachable', { detail: String(response.status) });
    if (response.status >= 300 && response.status < 400) return failed('server.redirects');
    if (!response.ok) return failed('server.not_parley');
    text = await readText(response);
  } catch (error) {
    return failed(certificateObstacle(error) === null ? 'server.unreachable' : 'server.not_trusted');
  }
  const about = ServerInfo.safeParse(text === null ? null : parseJsonOrNull(text));
  if (!about.success) return failed('server.not_parley');
  const { oldest, newest } = about.data.protocols;
  if (oldest > SYNC_PROTOCOL) return failed('sync.protocol_too_old');
  if (newest < OLDEST_SYNC_PROTOCOL) return failed('sync.protocol_too_new');
  return ok(about.data);
}

/** Returns null, and stops reading, when the response is too long: a compressed one could unpack to gigabytes. */
async function readText({ body }: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    // Leaving the loop cancels the stream.
    if (bytes > MAX_RESPONSE_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
