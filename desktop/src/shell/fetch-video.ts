/**
 * Fetches a video for the window, or reads its copy on this computer. In both directions, only what a player needs is
 * passed on.
 */
import { type ErrorCode, ERROR_STATUS_BY_CODE } from '@parley/contract';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { HostResult, KeptVideo, VideoSource } from '../host/index.ts';

export interface VideoRequest {
  method: string;
  /** The value of a header of the window's request. */
  header: (name: string) => string | null;
  signal: AbortSignal;
}

/** The body of a refusal is JSON with its `code`, from the contract's error codes. */
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
const ANSWERS_WITHOUT_CONTENT: ReadonlySet<number> = new Set([304, 416]);
const CODE_BY_STATUS: Readonly<Partial<Record<number, ErrorCode>>> = {
  401: 'auth.required',
  402: 'course.locked',
  403: 'auth.forbidden',
  404: 'video.not_found',
  429: 'request.too_many',
};
/** How long the server may take to start its response. */
const ANSWER_TIMEOUT_MS = 30_000;

export async function fetchVideo(
  source: HostResult<VideoSource>,
  asked: VideoRequest,
  answerTimeoutMs = ANSWER_TIMEOUT_MS,
): Promise<VideoResponse> {
  if (!source.ok) return refuse(source.error.code);
  const { method } = asked;
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: {}, body: null };
  if ('path' in source.value) return readKeptVideo(source.value, asked);
  const headers = new Headers({ ...source.value.headers, 'accept-encoding': 'identity' });
  for (const name of SENT_HEADERS) {
    const value = asked.header(name);
    if (value !== null) headers.set(name, value);
  }
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), answerTimeoutMs);
  const signal = AbortSignal.any([asked.signal, silence.signal]);
  // The server stores and serves its videos itself. A redirect would lead to another host.
  const response = await fetch(source.value.url, { method, headers, signal, redirect: 'error' }).catch(() => null);
  clearTimeout(timer);
  if (response === null) return refuse('sync.offline');
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  // `fetch` has unpacked a compressed body, whose stated length is then too short: on the window's connection, the rest
  // would count as the response to the next request.
  const isAsStated = (response.headers.get('content-encoding') ?? 'identity') === 'identity';
  const hasContent = ANSWERS_WITH_CONTENT.has(response.status) && isAsStated;
  if (!hasContent || !PLAYED.test(type)) {
    await response.body?.cancel();
    if (ANSWERS_WITHOUT_CONTENT.has(response.status)) return { status: response.status, headers: {}, body: null };
    // Other responses come from a proxy, or from the sign-in page of a hotel's network.
    return refuse(CODE_BY_STATUS[response.status] ?? 'sync.offline');
  }
  const returned = RETURNED_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { status: response.status, headers: Object.fromEntries(returned), body: response.body };
}

/** Serves a file in the data folder, with the ranges that players request. */
function readKeptVideo({ path, bytes, mediaType, etag }: KeptVideo, { method, header }: VideoRequest): VideoResponse {
  const headers = { 'content-type': mediaType, 'accept-ranges': 'bytes', etag, 'cache-control': 'no-store' };
  const range = parseRange(header('range'), bytes);
  if (range === null) return { status: 416, headers: { 'content-range': `bytes */${bytes}` }, body: null };
  const isPart = header('range') !== null;
  return {
    status: isPart ? 206 : 200,
    headers: {
      ...headers,
      'content-length': String(range.end - range.start + 1),
      ...(isPart ? { 'content-range': `bytes ${range.start}-${range.end}/${bytes}` } : {}),
    },
    body: method === 'HEAD' ? null : (Readable.toWeb(createReadStream(path, range)) as ReadableStream<Uint8Array>),
  };
}

/**
 * The first and the last byte of the requested range; null if it is outside the file. Players request a single range.
 */
function parseRange(header: string | null, bytes: number): { start: number; end: number } | null {
  if (header === null) return { start: 0, end: bytes - 1 };
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? [];
  if (first === '' && last === '') return null;
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  return start <= end ? { start, end } : null;
}

const refuse = (code: ErrorCode): VideoResponse => ({
  status: ERROR_STATUS_BY_CODE[code],
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: new Response(JSON.stringify({ code })).body,
});
