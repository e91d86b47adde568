/** Starts a local server that the real Azure SDK talks to: recognition, pronunciation assessment and synthesis over WebSocket. */
import { createServer, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { answerRecognition } from './recognition-connection.ts';
import type { RecordedCall, CallScript } from './script.ts';
import { answerSynthesis } from './synthesis-connection.ts';

export interface AzureSpeechFakeOptions {
  /** Defaults to any free port. */
  port?: number;
  /** Any other key is rejected with 401. */
  key?: string;
  /** One script per connection, in order. Connections after the last script succeed. */
  script?: readonly CallScript[];
}

export interface AzureSpeechFake {
  /** For the `endpoint` of an access: `ws://127.0.0.1:port`. */
  endpoint: string;
  /**
   * One entry per socket, including rejected ones, in order of arrival; entries change while their connection is open.
   */
  calls: readonly RecordedCall[];
  close: () => Promise<void>;
}

/** Version 1, used by containers, has one path per mode; version 2, used by the regions, has one path for all modes. */
const RECOGNITION_PATH = /^\/speech\/recognition\/(interactive|conversation|dictation)\/cognitiveservices\/v1$/;
const UNIVERSAL_PATH = '/stt/speech/universal/v2';
const SYNTHESIS_PATH = '/tts/cognitiveservices/websocket/v1';

export async function startAzureSpeechFake(options: AzureSpeechFakeOptions = {}): Promise<AzureSpeechFake> {
  const calls: RecordedCall[] = [];
  const sockets = new Set<Duplex>();
  const closing = new AbortController();
  const webSockets = new WebSocketServer({ noServer: true });
  const server = createServer((_, response) => response.writeHead(404).end());

  const handleUpgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const url = new URL(request.url ?? '/', 'ws://fake');
    const call = newCall(url, request);
    const script = options.script?.[calls.length] ?? {};
    calls.push(call);
    if (script.openAfterMs !== undefined) await pause(script.openAfterMs, undefined, { signal: closing.signal });
    const rejectStatus = script.refuse ?? rejectionFor(call, url, options.key);
    if (rejectStatus !== null) {
      call.state = 'refused';
      socket.end(
        `HTTP/1.1 ${rejectStatus} ${STATUS_CODES[rejectStatus]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      );
      return;
    }
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      call.state = 'open';
      webSocket.on('close', () => (call.state = 'closed'));
      webSocket.on('error', () => webSocket.terminate());
      const answer = call.kind === 'recognition' ? answerRecognition : answerSynthesis;
      answer(webSocket, call, { script, signal: closing.signal });
    });
  };
  server.on('upgrade', (request, socket, head) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    handleUpgrade(request, socket, head).catch(() => socket.destroy());
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    endpoint: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close: async () => {
      closing.abort();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function newCall(url: URL, { headers }: IncomingMessage): RecordedCall {
  const key = headers['ocp-apim-subscription-key'];
  return {
    kind: url.pathname === SYNTHESIS_PATH ? 'synthesis' : 'recognition',
    path: url.pathname,
    key: typeof key === 'string' ? key : null,
    mode: RECOGNITION_PATH.exec(url.pathname)?.[1] ?? null,
    messages: [],
    context: null,
    assessment: null,
    audioBytes: 0,
    hasAudioEnded: false,
    ssml: null,
    spokenBytes: 0,
    state: 'opening',
  };
}

function rejectionFor(call: RecordedCall, { pathname }: URL, key: string | undefined): number | null {
  const isKnown = pathname === SYNTHESIS_PATH || pathname === UNIVERSAL_PATH || RECOGNITION_PATH.test(pathname);
  if (!isKnown) return 404;
  return key !== undefined && call.key !== key ? 401 : null;
}
