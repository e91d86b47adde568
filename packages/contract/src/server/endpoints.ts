/**
 * Endpoints that carry audio, NDJSON or a WebSocket and therefore cannot be procedures of the contract, and the paths
 * of procedures that a client must recognise. Server and clients import them from here.
 */
import { PCM_MEDIA_TYPE, SPOKEN_MEDIA_TYPE } from '../audio-formats.ts';
import { RECORDING_MEDIA_TYPE } from './recordings.ts';

/** The body is serialised only once, so a client calls this endpoint without the contract's client. */
export const PUSH_PATH = '/v1/sync/push';
/** These procedures stream events, so their responses have no fixed length. */
export const POKES_PATH = '/v1/sync/pokes';
export const REPLY_PATH = '/v1/coach/reply';

export const NDJSON_MEDIA_TYPE = 'application/x-ndjson';

export interface Endpoint {
  method: 'GET' | 'POST';
  path: string;
  summary: string;
  /** The media type of the request's body; null when it has none. */
  request: string | null;
  /** `type` is null when the response has no body. */
  response: { status: number; type: string | null; description: string };
}

export const ENDPOINTS = {
  stream: {
    method: 'POST',
    path: '/v1/sync/stream',
    summary: 'Everything since the cursors as NDJSON, one page per line; see docs/protocol.md',
    request: 'application/json',
    response: { status: 200, type: NDJSON_MEDIA_TYPE, description: 'Pages, then an end line' },
  },
  turns: {
    method: 'POST',
    path: '/v1/sync/turns',
    summary: 'The turns of the named sessions as NDJSON; see docs/protocol.md',
    request: 'application/json',
    response: { status: 200, type: NDJSON_MEDIA_TYPE, description: 'Turns, then an end line' },
  },
  transcribe: {
    method: 'POST',
    path: '/v1/speech/transcribe',
    summary: 'The transcript; the body is 16-bit little-endian mono PCM at 16 kHz',
    request: PCM_MEDIA_TYPE,
    response: { status: 200, type: 'application/json', description: 'The transcript, empty when nothing was said' },
  },
  assess: {
    method: 'POST',
    path: '/v1/speech/assess',
    summary:
      'The transcript and its assessment, against `text` when given; the same audio, streamed while it is spoken',
    request: PCM_MEDIA_TYPE,
    response: { status: 200, type: 'application/json', description: 'The transcript and its assessment' },
  },
  speak: {
    method: 'POST',
    path: '/v1/speech/speak',
    summary: 'An utterance in a coach’s voice: 16-bit little-endian mono PCM at 24 kHz, streamed',
    request: 'application/json',
    response: { status: 200, type: SPOKEN_MEDIA_TYPE, description: 'The audio' },
  },
  realtime: {
    method: 'GET',
    path: '/v1/coach/realtime',
    summary: 'A realtime session over a WebSocket; its messages are in packages/contract',
    request: null,
    response: { status: 101, type: null, description: 'JSON messages and binary audio in both directions' },
  },
  sendRecording: {
    method: 'POST',
    path: '/v1/recordings/send',
    summary: 'The next bytes of an announced copy: `?sha256=…&offset=…`; see docs/recordings.md',
    request: RECORDING_MEDIA_TYPE,
    response: { status: 200, type: 'application/json', description: 'Which bytes are missing, or that it is kept' },
  },
  readRecording: {
    method: 'GET',
    path: '/v1/recordings/audio',
    summary: 'The copy of a recording, whole or in ranges: `?recordingId=…`',
    request: null,
    response: { status: 200, type: RECORDING_MEDIA_TYPE, description: 'Opus in Ogg' },
  },
} as const satisfies Record<string, Endpoint>;

/** A course pack as a ZIP file: what importing it would change, the import itself, and an export. For admins. */
export const PACK_PREVIEW_PATH = '/v1/admin/packs/preview';
export const PACK_IMPORT_PATH = '/v1/admin/packs/import';
export const PACK_EXPORT_PATH = '/v1/admin/packs/export';
/** A larger pack, such as one with videos, is uploaded in pieces first. */
export const MAX_SENT_PACK_BYTES = 10 * 1_048_576;

/** A school's colour as a style sheet: the prefix of its six digits and `.css`. */
export const BRAND_STYLE_PATH = '/site/brand';
