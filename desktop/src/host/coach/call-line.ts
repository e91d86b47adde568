/** The line to a coach who listens while it speaks, as this device holds it; what comes over it is parsed. */
import { REALTIME_PATH, type RealtimeBegin, RealtimeDown, type RealtimeUp, unpackCoachAudio } from '@parley/contract';
import type { IncomingMessage } from 'node:http';
import type { RawData, WebSocket } from 'ws';
import type { HostFailure } from '../answer/index.ts';
import { failureOfAnswer, type ServerConnection } from '../sync/index.ts';

export interface CallLine {
  tell(message: RealtimeUp): void;
  /** 16-bit mono PCM at 24 kHz, at most a second. */
  sound(pcm: Uint8Array): void;
  close(): void;
}

export interface CallListener {
  message(message: RealtimeDown): void;
  /** Of the coach: 16-bit mono PCM at 24 kHz. */
  sound(line: number, pcm: Uint8Array): void;
  /** The last of all; null where the line broke, and nobody said why. */
  gone(failure: HostFailure | null): void;
}

/** The server speaks, or asks whether we live, every ten seconds. */
const SILENCE_MS = 25_000;
const DIAL_MS = 10_000;

export function openCallLine(server: ServerConnection, begin: RealtimeBegin, listener: CallListener): CallLine {
  let socket: WebSocket | null = null;
  let isOver = false;
  let silence: NodeJS.Timeout | undefined;

  const gone = (failure: HostFailure | null): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(silence);
    socket?.terminate();
    listener.gone(failure);
  };
  const waitFor = (ms: number): void => {
    clearTimeout(silence);
    silence = setTimeout(() => gone(null), ms);
    silence.unref();
  };
  const send = (data: string | Uint8Array): void => {
    if (socket?.readyState === socket?.OPEN) socket?.send(data);
  };

  function take(data: RawData, isSound: boolean): void {
    waitFor(SILENCE_MS);
    const bytes = bytesOf(data);
    if (isSound) {
      const sound = unpackCoachAudio(bytes);
      return sound === null ? undefined : listener.sound(sound.line, sound.pcm);
    }
    const message = RealtimeDown.safeParse(parseJson(bytes.toString()));
    // What a newer server says beyond what we know is none of our business.
    if (!message.success) return;
    if (message.data.type === 'failed') return gone(failureOfAnswer(500, message.data));
    listener.message(message.data);
  }

  async function dial(): Promise<void> {
    const opening = await server.socket(REALTIME_PATH);
    if (isOver) return opening.terminate();
    socket = opening;
    waitFor(DIAL_MS);
    socket.on('open', () => send(JSON.stringify(begin)));
    socket.on('message', take);
    socket.on('ping', () => waitFor(SILENCE_MS));
    socket.on('close', () => gone(null));
    // What broke says `close` too.
    socket.on('error', () => undefined);
    socket.on('unexpected-response', (_request, response) => {
      refused(response).then(gone, () => gone(null));
    });
  }
  dial().catch(() => gone(null));

  return {
    tell: (message) => send(JSON.stringify(message)),
    sound: send,
    close: () => {
      isOver = true;
      clearTimeout(silence);
      socket?.close();
    },
  };
}

/** Of an answer that is no line: the server's own refusal, or whatever stands before it. */
async function refused(response: IncomingMessage): Promise<HostFailure | null> {
  let body = '';
  for await (const piece of response) body += String(piece);
  const failure = failureOfAnswer(response.statusCode ?? 500, parseJson(body));
  return failure.code === 'sync.offline' ? null : failure;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
