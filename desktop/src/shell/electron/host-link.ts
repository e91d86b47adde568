/** The main process's side of the host: forks it, connects windows to it, notices its end, and closes it in good order. */
import type { HostStartFailure } from '../../host/index.ts';
import type { FromHost, HostStart, ToHost } from './host-messages.ts';
import type { Cipher } from './keychain.ts';

/** What is used of Electron's UtilityProcess. */
export interface HostProcess<Port> {
  on(event: 'message', listener: (message: FromHost) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
  postMessage(message: ToHost, transfer?: Port[]): void;
  kill(): boolean;
}

export interface HostLinkOptions<Port> {
  fork: () => HostProcess<Port>;
  start: HostStart;
  cipher: Cipher;
  onFailed: (failure: { code: HostStartFailure | null; message: string }) => void;
  /** The host's process ended by itself; the next window that connects starts another. */
  onGone: () => void;
}

export interface HostLink<Port> {
  /** Hands the host one end of a window's channel. */
  connect(port: Port): void;
  close(): Promise<void>;
}

const CLOSE_WITHIN_MS = 10_000;

export function createHostLink<Port>(options: HostLinkOptions<Port>): HostLink<Port> {
  let running: { host: HostProcess<Port>; ended: Promise<void> } | null = null;
  let isClosing = false;

  function start(): NonNullable<typeof running> {
    const host = options.fork();
    const ended = new Promise<void>((resolve) => {
      host.on('exit', () => {
        if (running?.host === host) running = null;
        if (!isClosing) options.onGone();
        resolve();
      });
    });
    host.on('message', (message) => {
      switch (message.type) {
        case 'opened':
          return;
        case 'failed':
          return options.onFailed(message);
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

  return {
    connect(port) {
      running ??= start();
      running.host.postMessage({ type: 'window' }, [port]);
    },
    async close() {
      isClosing = true;
      if (running === null) return;
      const { host, ended } = running;
      const timer = setTimeout(() => host.kill(), CLOSE_WITHIN_MS);
      host.postMessage({ type: 'close' });
      await ended;
      clearTimeout(timer);
    },
  };
}
