/** The WebSocket of a realtime session. Every message from the server is parsed. */
import {
  ENDPOINTS,
  REALTIME_BYTES_PER_MS,
  type RealtimeBeginMessage,
  RealtimeServerMessage,
  type RealtimeClientMessage,
  unpackCoachAudio,
} from '@parley/contract';
import { parseJsonOrNull } from '@parley/domain';
import type { IncomingMessage } from 'node:http';
import type { RawData, WebSocket } from 'ws';
import type { HostFailure } from '../result/index.ts';
import { type ServerConnection, toResponseFailure } from '../server/index.ts';

export interface RealtimeConnection {
  sendMessage(message: RealtimeClientMessage): void;
  /** 16-bit mono PCM at 24 kHz, at most one second per call. */
  sendAudio(pcm: Uint8Array): void;
  close(): void;
}

export interface RealtimeListener {
  onMessage(message: RealtimeServerMessage): void;
  /** The coach's audio: 16-bit mono PCM at 24 kHz. */
  sound(line: number, pcm: Uint8Array): void;
  /** The server is still connected but has nothing to say. */
  onPing(): void;
  /** Called last. `null` means that the connection was lost and the server gave no reason. */
  onClosed(failure: HostFailure | null): void;
}

/** The server sends a message or a ping every ten seconds. */
const IDLE_TIMEOUT_MS = 25_000;
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * Audio is kept in memory until it is played. A coach may send it faster than it is played, but not ten minutes of it at once, nor ten
 * times as fast for long. All audio that arrives counts, even if an interruption discards it later.
 */
const MAX_BYTES_AHEAD = 600_000 * REALTIME_BYTES_PER_MS;
const MAX_BYTES_PER_MS = 10 * REALTIME_BYTES_PER_MS;
/** A small message takes more memory than its text. */
const MIN_MESSAGE_BYTES = 1_024;
const MAX_REFUSAL_BYTES = 65_536;

export function openRealtimeConnection(
  server: ServerConnection,
  begin: RealtimeBeginMessage,
  listener: RealtimeListener,
): RealtimeConnection {
  let socket: WebSocket | null = null;
  let isClosed = false;
  let idleTimer: NodeJS.Timeout | undefined;
  let receivedBytes = 0;
  const openedAtMs = performance.now();

  const gone = (failure: HostFailure | null): void => {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(idleTimer);
    socket?.terminate();
    listener.onClosed(failure);
  };
  const restartTimeout = (ms: number): void => {
    clearTimeout(idleTimer);
    idleTimer = setTimeout(() => gone(null), ms);
    idleTimer.unref();
  };
  const send = (data: string | Uint8Array): void => {
    if (socket?.readyState === socket?.OPEN) socket?.send(data);
  };

  function handleMessage(data: RawData, isBinary: boolean): void {
    restartTimeout(IDLE_TIMEOUT_MS);
    const bytes = bytesOf(data);
    receivedBytes += Math.max(bytes.byteLength, MIN_MESSAGE_BYTES);
    if (receivedBytes - (performance.now() - openedAtMs) * MAX_BYTES_PER_MS > MAX_BYTES_AHEAD)
      return gone({ code: 'coach.unavailable', detail: 'flood' });
    if (isBinary) {
      const sound = unpackCoachAudio(bytes);
      return sound === null ? undefined : listener.sound(sound.utteranceNumber, sound.pcm);
    }
    const message = RealtimeServerMessage.safeParse(parseJsonOrNull(bytes.toString()));
    // Message types from a newer server are ignored.
    if (!message.success) return;
    if (message.data.type === 'failed') return gone(toResponseFailure(500, message.data));
    listener.onMessage(message.data);
  }

  async function connect(): Promise<void> {
    const connecting = await server.openSocket(ENDPOINTS.realtime.path);
    if (isClosed) return connecting.terminate();
    socket = connecting;
    restartTimeout(CONNECT_TIMEOUT_MS);
    socket.on('open', () => send(JSON.stringify(begin)));
    socket.on('message', handleMessage);
    socket.on('ping', () => {
      restartTimeout(IDLE_TIMEOUT_MS);
      listener.onPing();
    });
    socket.on('close', () => gone(null));
    // A failed socket also emits `close`.
    socket.on('error', () => undefined);
    socket.on('unexpected-response', (_request, response) => {
      readRefusal(response).then(gone, () => gone(null));
    });
  }
  connect().catch(() => gone(null));

  return {
    sendMessage: (message) => send(JSON.stringify(message)),
    sendAudio: send,
    close: () => {
      isClosed = true;
      clearTimeout(idleTimer);
      socket?.close();
    },
  };
}

/** Reads why the upgrade was refused. `null` means that the response came from a proxy and not from our server. */
async function readRefusal(response: IncomingMessage): Promise<HostFailure | null> {
  let body = '';
  for await (const piece of response) {
    body += String(piece);
    if (body.length > MAX_REFUSAL_BYTES) return null;
  }
  const failure = toResponseFailure(response.statusCode ?? 500, parseJsonOrNull(body));
  return failure.code === 'sync.offline' ? null : failure;
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
