/** Handles a device's connection of a realtime session: it validates messages, limits audio and detects dead sockets. */
import {
  MAX_REALTIME_FRAME_BYTES,
  packCoachAudio,
  REALTIME_BYTES_PER_MS,
  RealtimeServerMessage,
  RealtimeClientMessage,
} from '@parley/contract';
import type { RawData, WebSocket } from 'ws';
import { DomainError } from '../../domain-error.ts';
import type { RealtimeConnection } from '../../coach/index.ts';
import { toErrorResponse } from '../errors/error-response.ts';
import { parseJsonBody } from '../request-bodies/parse-json.ts';

export interface RealtimeConnectionLimits {
  /** How long a device may take to send its first message. */
  beginTimeoutMs: number;
  /** A device that has not answered a ping by the next one is gone. */
  pingIntervalMs: number;
  /** Unsent bytes at which the connection is closed: about three minutes of audio. */
  maxUnsentBytes: number;
}

export const REALTIME_CONNECTION_LIMITS: RealtimeConnectionLimits = {
  beginTimeoutMs: 10_000,
  pingIntervalMs: 10_000,
  maxUnsentBytes: 8 * 1024 * 1024,
};

/** After a delay, a connection may catch up, but no device can send faster than real time for longer than this. */
const MAX_AHEAD_MS = 60_000;
/**
 * A device sends 25 audio frames a second and an occasional message. Without this limit, real-time audio could be split
 * into thousands of tiny frames.
 */
const MAX_FRAMES_PER_SECOND = 200;
const CLOSE_TIMEOUT_MS = 2_000;
const CLOSE_CODES = { over: 1000, failed: 1011 } as const;

export interface RealtimeConnectionParts {
  socket: WebSocket;
  requestId: string;
  limits: RealtimeConnectionLimits;
  onMessage: (message: RealtimeClientMessage) => void;
  onAudio: (pcm: Uint8Array) => void;
  /** Called when the socket has closed, whichever side closed it. */
  onClose: () => void;
  /** Receives errors that are bugs. */
  onBug: (error: unknown) => void;
}

export function openRealtimeConnection(parts: RealtimeConnectionParts): RealtimeConnection {
  const { socket, limits } = parts;
  const openedAtMs = performance.now();
  let hasBegun = false;
  let isAlive = true;
  let receivedMs = 0;
  let receivedFrames = 0;

  const closeSocket = (code: number): void => {
    socket.close(code);
    setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
  };
  const send = (data: string | Uint8Array): void => {
    if (socket.readyState !== socket.OPEN) return;
    socket.send(data);
    if (socket.bufferedAmount > limits.maxUnsentBytes) socket.terminate();
  };
  const tell = (message: RealtimeServerMessage): void => {
    send(JSON.stringify(message));
    if (message.type === 'over') closeSocket(CLOSE_CODES.over);
  };
  const fail = (error: unknown): void => {
    const { body, isBug } = toErrorResponse(error, parts.requestId);
    if (isBug) parts.onBug(error);
    send(JSON.stringify(RealtimeServerMessage.parse({ type: 'failed', code: body.code, data: body.data })));
    closeSocket(CLOSE_CODES.failed);
  };

  const isAhead = (ms: number): boolean => ms - (performance.now() - openedAtMs) > MAX_AHEAD_MS;

  function receiveAudio(pcm: Buffer): void {
    receivedMs += pcm.byteLength / REALTIME_BYTES_PER_MS;
    if (isAhead(receivedMs)) return fail(new DomainError('request.too_many'));
    // A sample has two bytes, so an odd length is not audio.
    if (pcm.byteLength % 2 !== 0) return fail(new DomainError('request.invalid', { field: 'audio' }));
    // A provider rejects empty audio and would end the whole session.
    if (pcm.byteLength > 0) parts.onAudio(pcm);
  }

  function receive(data: Buffer, isSound: boolean): void {
    isAlive = true;
    receivedFrames += 1;
    if (isAhead((receivedFrames / MAX_FRAMES_PER_SECOND) * 1_000)) return fail(new DomainError('request.too_many'));
    if (hasBegun && data.byteLength > MAX_REALTIME_FRAME_BYTES) return fail(new DomainError('request.too_large'));
    if (isSound) return receiveAudio(data);
    const message = RealtimeClientMessage.safeParse(parseJsonBody(data));
    const isExpected = message.success && (message.data.type === 'begin') !== hasBegun;
    if (!isExpected)
      return fail(new DomainError('request.invalid', { field: message.error?.issues[0]?.path.join('.') ?? 'type' }));
    hasBegun = true;
    clearTimeout(beginTimer);
    parts.onMessage(message.data);
  }

  const beginTimer = setTimeout(
    () => fail(new DomainError('request.invalid', { field: 'begin' })),
    limits.beginTimeoutMs,
  );
  const pingTimer = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, limits.pingIntervalMs);
  socket.on('pong', () => {
    isAlive = true;
  });
  socket.on('message', (data, isSound) => {
    // Frames that were in transit when the session ended are dropped.
    if (socket.readyState !== socket.OPEN) return;
    try {
      receive(toBuffer(data), isSound);
    } catch (error) {
      fail(error);
    }
  });
  // A `close` event follows every error.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearTimeout(beginTimer);
    clearInterval(pingTimer);
    parts.onClose();
  });
  return { send: tell, fail, sendAudio: (utteranceNumber, pcm) => send(packCoachAudio(utteranceNumber, pcm)) };
}

const toBuffer = (data: RawData): Buffer => {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
};
