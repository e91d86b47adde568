/**
 * Manages the host process from the main process: starts it, connects windows, notices when it exits, and closes it.
 */
import type { TrayState, VideoFile } from '@parley/contract';
import type { HostResult, VideoSource } from '../../../host/index.ts';
import type { FromHost, HostStart, ToHost } from './host-messages.ts';
import type { Cipher } from '../keychain/keychain.ts';
import type { StartFailure } from '../native-texts.ts';

/** The part of Electron's UtilityProcess that is used. */
export interface HostProcess<Port> {
  on(event: 'message', listener: (message: FromHost) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
  postMessage(message: ToHost, transfer?: Port[]): void;
  kill(): boolean;
}

export interface HostProcessClientOptions<Port> {
  fork: () => HostProcess<Port>;
  start: HostStart;
  cipher: Cipher;
  /** The host cannot open, or ended before it had opened. */
  onFailed: (failure: { code: StartFailure | null; message: string }) => void;
  /** An open host process exited unexpectedly; the next window that connects starts a new one. */
  onExited: () => void;
}

export interface HostProcessClient<Port> {
  /** Passes one end of a window's channel to the host. */
  connect(port: Port): void;
  /** Fails with `internal` while no host is running. */
  findVideo(asked: VideoFile): Promise<HostResult<VideoSource>>;
  /** Null if no host is running. */
  readTray(): Promise<TrayState | null>;
  close(): Promise<void>;
}

const CLOSE_TIMEOUT_MS = 10_000;
const ENDED_WHILE_OPENING = { code: 'host.ended', message: 'The host process ended while it was opening.' } as const;
const NO_HOST: HostResult<VideoSource> = { ok: false, error: { code: 'internal' } };

export function createHostProcessClient<Port>(options: HostProcessClientOptions<Port>): HostProcessClient<Port> {
  let running: { host: HostProcess<Port>; ended: Promise<void> } | null = null;
  let isClosing = false;
  const waiting = new Map<number, (answer: FromHost | null) => void>();
  let lastRequest = 0;

  function start(): NonNullable<typeof running> {
    const host = options.fork();
    let isOpening = true;
    const ended = new Promise<void>((resolve) => {
      host.on('exit', () => {
        if (running?.host === host) running = null;
        for (const answer of waiting.values()) answer(null);
        waiting.clear();
        resolve();
        if (isClosing) return;
        if (isOpening) options.onFailed(ENDED_WHILE_OPENING);
        else options.onExited();
      });
    });
    host.on('message', (message) => {
      switch (message.type) {
        case 'opened':
          isOpening = false;
          return;
        case 'failed':
          isOpening = false;
          return options.onFailed(message);
        case 'video-answer':
        case 'tray-answer':
          waiting.get(message.id)?.(message);
          return void waiting.delete(message.id);
        case 'cipher-request':
          return void answerCipher(host, message);
      }
    });
    host.postMessage({ type: 'open', start: options.start });
    return { host, ended };
  }

  async function answerCipher(host: HostProcess<Port>, request: FromHost & { type: 'cipher-request' }): Promise<void> {
    const { id, act, text } = request;
    const answer = await (act === 'seal' ? options.cipher.seal(text) : options.cipher.unseal(text));
    host.postMessage({ type: 'cipher-answer', id, answer });
  }

  /** Null if no host is running, or if it ends before it has answered. */
  function request(toMessage: (id: number) => ToHost): Promise<FromHost | null> {
    const host = running?.host;
    if (host === undefined) return Promise.resolve(null);
    lastRequest += 1;
    const id = lastRequest;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      host.postMessage(toMessage(id));
    });
  }

  return {
    connect(port) {
      running ??= start();
      running.host.postMessage({ type: 'window' }, [port]);
    },
    async findVideo(asked) {
      const answer = await request((id) => ({ type: 'video-request', id, asked }));
      return answer?.type === 'video-answer' ? answer.source : NO_HOST;
    },
    async readTray() {
      const answer = await request((id) => ({ type: 'tray-request', id }));
      return answer?.type === 'tray-answer' ? answer.state : null;
    },
    async close() {
      isClosing = true;
      if (running === null) return;
      const { host, ended } = running;
      const timer = setTimeout(() => host.kill(), CLOSE_TIMEOUT_MS);
      host.postMessage({ type: 'close' });
      await ended;
      clearTimeout(timer);
    },
  };
}
