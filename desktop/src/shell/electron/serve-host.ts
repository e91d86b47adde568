/** The inside of the host's process: opens one host, gives it to each window that comes, closes it when told to. */
import { RPCHandler } from '@orpc/server/message-port';
import { pathToFileURL } from 'node:url';
import { createFileVault, createHost, type Host, HostStartError, type Logger } from '../../host/index.ts';
import type { FromHost, HostStart, ToHost } from './host-messages.ts';
import type { Cipher } from './keychain.ts';
import { createKeychainVault } from './keychain-vault.ts';

/** What is used of Electron's MessagePortMain, which starts by hand. */
export interface WindowPort {
  on(event: string, listener: (event?: { data: unknown }) => void): unknown;
  postMessage(message: unknown): void;
  start(): void;
}

export interface ParentPort {
  on(event: 'message', listener: (event: { data: ToHost; ports: readonly WindowPort[] }) => void): unknown;
  postMessage(message: FromHost): void;
}

export function serveHost(parent: ParentPort, options: { logger: Logger; exit: (code: number) => void }): void {
  const { cipher, settle } = askParentForCipher(parent);
  let opening: Promise<Host> | null = null;

  const open = async (start: HostStart): Promise<Host> =>
    createHost({
      dataDir: start.dataDir,
      serverUrl: start.serverUrl,
      defaultServerUrl: start.defaultServerUrl,
      version: start.version,
      logger: options.logger,
      migrationsDir: start.migrationsDir,
      voiceWorkerFile: pathToFileURL(start.voiceWorkerFile),
      scorerFiles: { workerFile: pathToFileURL(start.scorerWorkerFile), modelDir: start.modelDir },
      tokenVault: createKeychainVault({ cipher, dataDir: start.dataDir, plain: createFileVault(start.dataDir) }),
    });

  const reportOpening = (host: Promise<Host>): void => {
    host.then(
      () => parent.postMessage({ type: 'opened' }),
      (error: unknown) => {
        options.logger.error({ err: error }, 'the host could not start');
        const code = error instanceof HostStartError ? error.code : null;
        parent.postMessage({ type: 'failed', code, message: error instanceof Error ? error.message : String(error) });
      },
    );
  };

  const giveTo = async (port: WindowPort): Promise<void> => {
    const host = await opening;
    if (host === null) return;
    const gone = new AbortController();
    port.on('close', () => gone.abort());
    new RPCHandler(host.router).upgrade(port, { context: { windowGone: gone.signal } });
    // Only now: what the window said before would be lost.
    port.start();
  };

  const close = async (): Promise<void> => {
    const host = await opening?.catch(() => null);
    await host?.close();
    options.exit(0);
  };

  parent.on('message', ({ data, ports }) => {
    switch (data.type) {
      case 'open':
        opening = open(data.start);
        return reportOpening(opening);
      case 'window':
        // A host that did not open has said so already.
        return ports.forEach((port) => void giveTo(port).catch(() => undefined));
      case 'cipher-answer':
        return settle(data.id, data.answer);
      case 'close':
        return void close().catch((error: unknown) => {
          options.logger.error({ err: error }, 'the host could not close');
          options.exit(1);
        });
    }
  });
}

function askParentForCipher(parent: ParentPort) {
  const settleById = new Map<number, (answer: string | null) => void>();
  let lastId = 0;
  const ask = (act: 'seal' | 'unseal', text: string): Promise<string | null> => {
    lastId += 1;
    const id = lastId;
    return new Promise((resolve) => {
      settleById.set(id, resolve);
      parent.postMessage({ type: 'cipher-request', id, act, text });
    });
  };
  const cipher: Cipher = {
    seal: (secret) => ask('seal', secret),
    unseal: (sealed) => ask('unseal', sealed),
  };
  const settle = (id: number, answer: string | null): void => {
    settleById.get(id)?.(answer);
    settleById.delete(id);
  };
  return { cipher, settle };
}
