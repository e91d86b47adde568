/** Answers `parley://app/`: the renderer's files, read-only, under a policy that lets nothing else in. */
import { readStaticFile } from '../browser/static-files.ts';
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

export async function answerAppRequest(
  request: { method: string; url: string },
  rendererDir: string,
): Promise<Response> {
  const refuse = (status: number): Response => new Response(null, { status, headers: SECURITY_HEADERS });
  if (!isAppUrl(request.url)) return refuse(403);
  if (request.method !== 'GET') return refuse(405);
  const file = await readStaticFile(rendererDir, new URL(request.url).pathname || '/');
  if (file === null) return refuse(404);
  return new Response(new Uint8Array(file.content), {
    headers: { ...SECURITY_HEADERS, 'content-type': file.mediaType },
  });
}
