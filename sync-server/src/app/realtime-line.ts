/** A device's end of a live conversation: what comes over its socket is measured and parsed, and a socket that is stuck or still is closed. */
import {
  MAX_REALTIME_FRAME_BYTES,
  packCoachAudio,
  REALTIME_BYTES_A_MS,
  RealtimeDown,
  RealtimeUp,
} from '@parley/contract';
import type { RawData, WebSocket } from 'ws';
import { failure } from '../failure.ts';
import type { LiveLine } from '../coach/index.ts';
import { answerError } from './error-policy.ts';
import { parseJsonBody } from './parse-json.ts';

export interface LineLimits {
  /** Within which a device must say what it wants. */
  beginWithinMs: number;
  /** Whoever does not answer one by the next has gone. */
  pingEveryMs: number;
  /** Of sound and words that nobody takes: about three minutes. */
  maxUnsentBytes: number;
}

export const LINE_LIMITS: LineLimits = {
  beginWithinMs: 10_000,
  pingEveryMs: 10_000,
  maxUnsentBytes: 8 * 1024 * 1024,
};

/** A line that was held up catches up; nobody speaks faster than time for longer. */
const MAX_AHEAD_MS = 60_000;
const CLOSE_WITHIN_MS = 2_000;
const CLOSE = { over: 1000, failed: 1011 } as const;

export interface RealtimeLineParts {
  socket: WebSocket;
  requestId: string;
  limits: LineLimits;
  asked: (message: RealtimeUp) => void;
  hear: (pcm: Uint8Array) => void;
  /** The socket is closed, by whomever. */
  gone: () => void;
  /** What is ours to look at. */
  bug: (error: unknown) => void;
}

export function openRealtimeLine(parts: RealtimeLineParts): LiveLine {
  const { socket, limits } = parts;
  const openedAtMs = performance.now();
  let hasBegun = false;
  let isAlive = true;
  let heardMs = 0;

  const hangUp = (code: number): void => {
    socket.close(code);
    setTimeout(() => socket.terminate(), CLOSE_WITHIN_MS).unref();
  };
  const send = (data: string | Uint8Array): void => {
    if (socket.readyState !== socket.OPEN) return;
    socket.send(data);
    if (socket.bufferedAmount > limits.maxUnsentBytes) socket.terminate();
  };
  const tell = (message: RealtimeDown): void => {
    send(JSON.stringify(message));
    if (message.type === 'over') hangUp(CLOSE.over);
  };
  const fail = (error: unknown): void => {
    const { body, isBug } = answerError(error, parts.requestId);
    if (isBug) parts.bug(error);
    send(JSON.stringify(RealtimeDown.parse({ type: 'failed', code: body.code, data: body.data })));
    hangUp(CLOSE.failed);
  };

  function takeSound(pcm: Buffer): void {
    heardMs += pcm.byteLength / REALTIME_BYTES_A_MS;
    const isTooFast = heardMs - (performance.now() - openedAtMs) > MAX_AHEAD_MS;
    if (isTooFast) return fail(failure('request.too_many'));
    // Samples are two bytes each; anything else is no sound.
    if (pcm.byteLength % 2 !== 0) return fail(failure('request.invalid', { field: 'audio' }));
    // A provider would refuse sound without a sample, and with it the whole call.
    if (pcm.byteLength > 0) parts.hear(pcm);
  }

  function take(data: Buffer, isSound: boolean): void {
    isAlive = true;
    if (hasBegun && data.byteLength > MAX_REALTIME_FRAME_BYTES) return fail(failure('request.too_large'));
    if (isSound) return takeSound(data);
    const message = RealtimeUp.safeParse(parseJsonBody(data));
    const isExpected = message.success && (message.data.type === 'begin') !== hasBegun;
    if (!isExpected)
      return fail(failure('request.invalid', { field: message.error?.issues[0]?.path.join('.') ?? 'type' }));
    hasBegun = true;
    clearTimeout(late);
    parts.asked(message.data);
  }

  const late = setTimeout(() => fail(failure('request.invalid', { field: 'begin' })), limits.beginWithinMs);
  const heart = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, limits.pingEveryMs);
  socket.on('pong', () => {
    isAlive = true;
  });
  socket.on('message', (data, isSound) => {
    // Frames that were on their way when it was over are none of anybody's.
    if (socket.readyState !== socket.OPEN) return;
    try {
      take(bytesOf(data), isSound);
    } catch (error) {
      fail(error);
    }
  });
  // What broke says `close` too.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearTimeout(late);
    clearInterval(heart);
    parts.gone();
  });
  return { tell, fail, sound: (line, pcm) => send(packCoachAudio(line, pcm)) };
}

const bytesOf = (data: RawData): Buffer => {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
};
