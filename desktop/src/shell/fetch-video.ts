/** Fetches a video for the window. Only what a player needs passes, in both directions. */
import type { VideoSource } from '../host/index.ts';

export interface VideoRequest {
  method: string;
  /** The value of a header of the window's request. */
  header: (name: string) => string | null;
  signal: AbortSignal;
}

export interface VideoResponse {
  status: number;
  headers: Record<string, string>;
  body: ReadableStream<Uint8Array> | null;
}

const SENT_HEADERS = ['range', 'if-range', 'if-none-match'] as const;
const RETURNED_HEADERS = [
  'content-type',
  'content-length',
  'content-range',
  'accept-ranges',
  'etag',
  'last-modified',
  'cache-control',
] as const;
const PLAYED = /^(?:video\/(?:mp4|webm|ogg)|image\/(?:png|jpeg|webp))$/;
const ANSWERS_WITH_CONTENT: ReadonlySet<number> = new Set([200, 206]);
const ANSWERS_WITHOUT_CONTENT: ReadonlySet<number> = new Set([304, 404, 416]);

const empty = (status: number): VideoResponse => ({ status, headers: {}, body: null });

export async function fetchVideo(source: VideoSource | null, asked: VideoRequest): Promise<VideoResponse> {
  if (source === null) return empty(404);
  const { method, signal } = asked;
  if (method !== 'GET' && method !== 'HEAD') return empty(405);
  const headers = new Headers({ ...source.headers, 'accept-encoding': 'identity' });
  for (const name of SENT_HEADERS) {
    const value = asked.header(name);
    if (value !== null) headers.set(name, value);
  }
  const response = await fetch(source.url, { method, headers, signal }).catch(() => null);
  // A player shows the same for each of them, and the window knows whether the app is offline.
  if (response === null) return empty(504);
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  const hasContent = ANSWERS_WITH_CONTENT.has(response.status);
  if (!hasContent || !PLAYED.test(type)) {
    await response.body?.cancel();
    return empty(!hasContent && ANSWERS_WITHOUT_CONTENT.has(response.status) ? response.status : 502);
  }
  const returned = RETURNED_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { status: response.status, headers: Object.fromEntries(returned), body: response.body };
}
