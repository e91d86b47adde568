/** Serves the renderer's files under `parley://app/`, read-only and with a strict content policy. */
import { readStaticFile } from '../../browser/static-files.ts';
import { parseVideoPath, type VideoFile } from '@parley/contract';
import type { HostResult, VideoSource } from '../../../host/index.ts';
import { fetchVideo } from '../../fetch-video.ts';
import { isAppUrl } from './app-origin.ts';

const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'none'",
].join('; ');

const SECURITY_HEADERS = {
  'content-security-policy': CONTENT_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'microphone=(self), camera=(), geolocation=()',
  // An update replaces the files under the same names.
  'cache-control': 'no-cache',
};

export interface AppProtocolParts {
  rendererDir: string;
  /** Asks the host, which alone knows the catalogue and the device's token. */
  findVideo: (asked: VideoFile) => Promise<HostResult<VideoSource>>;
}

export async function answerAppRequest(
  request: Pick<Request, 'method' | 'url' | 'headers' | 'signal'>,
  { rendererDir, findVideo }: AppProtocolParts,
): Promise<Response> {
  const refuse = (status: number): Response => new Response(null, { status, headers: SECURITY_HEADERS });
  if (!isAppUrl(request.url)) return refuse(403);
  if (request.method !== 'GET') return refuse(405);
  const path = new URL(request.url).pathname || '/';
  const video = parseVideoPath(path);
  if (video !== null) {
    const { status, headers, body } = await fetchVideo(await findVideo(video), {
      method: request.method,
      header: (name) => request.headers.get(name),
      signal: request.signal,
    });
    return new Response(body, { status, headers: { ...SECURITY_HEADERS, ...headers } });
  }
  const file = await readStaticFile(rendererDir, path);
  if (file === null) return refuse(404);
  return new Response(new Uint8Array(file.content), {
    headers: { ...SECURITY_HEADERS, 'content-type': file.mediaType },
  });
}
