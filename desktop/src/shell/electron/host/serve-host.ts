/** Runs in the host process: opens one host, connects each window to it, and closes it on request. */
import { RPCHandler } from '@orpc/server/message-port';
import type { TrayState } from '@parley/contract';
import { pathToFileURL } from 'node:url';
import {
  type AppHost,
  createFileVault,
  failed,
  type HostResult,
  HostStartError,
  openAppHost,
  type VideoSource,
} from '../../../host/index.ts';
import type { FromHost, HostStart, ToHost } from './host-messages.ts';
import type { Cipher } from '../keychain/keychain.ts';
import { recordUncaughtErrors, openCrashFolder } from '../../crash-folder.ts';
import { type FileLogger, logFolder, openLogFile } from '../../log-file.ts';
import { createKeychainVault } from '../keychain/keychain-vault.ts';

/** The part of Electron's MessagePortMain that is used; it must be started explicitly. */
export interface WindowPort {
  on(event: string, listener: (event?: { data: unknown }) => void): unknown;
  postMessage(message: unknown): void;
  start(): void;
}

export interface ParentPort {
  on(event: 'message', listener: (event: { data: ToHost; ports: readonly WindowPort[] }) => void): unknown;
  postMessage(message: FromHost): void;
}

export function serveHost(parent: ParentPort, options: { exit: (code: number) => void }): void {
  const { cipher, settle } = createParentCipher(parent);
  let opening: Promise<AppHost> | null = null;
  let log: FileLogger | null = null;

  const open = async (start: HostStart): Promise<AppHost> => {
    log = openLogFile(start.dataDir, 'host');
    const crashFolder = openCrashFolder(start.dataDir);
    recordUncaughtErrors({ folder: crashFolder, source: 'host', version: start.version });
    return openAppHost({
      dataDir: start.dataDir,
      serverUrl: start.serverUrl,
      defaultServerUrl: start.defaultServerUrl,
      version: start.version,
      logger: log,
      logDir: logFolder(start.dataDir),
      crashFolder,
      safeMode: start.safeMode,
      hasTray: true,
      migrationsDir: start.migrationsDir,
      voiceWorkerFile: pathToFileURL(start.voiceWorkerFile),
      keptRecordings: { workerFile: pathToFileURL(start.opusWorkerFile) },
      speechPack: { workerFile: pathToFileURL(start.transcriptionWorkerFile) },
      scorerFiles: { workerFile: pathToFileURL(start.scorerWorkerFile), modelDir: start.modelDir },
      tokenVaultIn: (dataDir) => createKeychainVault({ cipher, dataDir, plain: createFileVault(dataDir) }),
    });
  };

  const reportOpening = (host: Promise<AppHost>): void => {
    host.then(
      () => parent.postMessage({ type: 'opened' }),
      (error: unknown) => {
        log?.error({ err: error }, 'host_start_failed');
        const code = error instanceof HostStartError ? error.code : null;
        parent.postMessage({ type: 'failed', code, message: error instanceof Error ? error.message : String(error) });
      },
    );
  };

  const connectWindow = async (port: WindowPort): Promise<void> => {
    const host = await (await opening)?.host();
    if (host === undefined) return;
    const gone = new AbortController();
    port.on('close', () => gone.abort());
    new RPCHandler(host.router).upgrade(port, { context: { windowClosed: gone.signal } });
    // The port is started only now, because earlier messages would be lost.
    port.start();
  };

  const answerVideo = async ({ id, asked }: ToHost & { type: 'video-request' }): Promise<void> => {
    const find = async (): Promise<HostResult<VideoSource>> =>
      (await (await opening)?.host())?.videoFiles.find(asked) ?? failed('internal');
    const source = await find().catch((error: unknown) => {
      log?.error({ err: error }, 'video_lookup_failed');
      return failed('internal');
    });
    parent.postMessage({ type: 'video-answer', id, source });
  };

  const answerTray = async ({ id }: ToHost & { type: 'tray-request' }): Promise<void> => {
    const read = async (): Promise<TrayState | null> => (await (await opening)?.host())?.readTray() ?? null;
    const state = await read().catch((error: unknown) => {
      log?.warn({ err: error }, 'tray_read_failed');
      return null;
    });
    parent.postMessage({ type: 'tray-answer', id, state });
  };

  const close = async (): Promise<void> => {
    const host = await opening?.catch(() => null);
    await host?.close();
    log?.close();
    options.exit(0);
  };

  parent.on('message', ({ data, ports }) => {
    switch (data.type) {
      case 'open':
        opening = open(data.start);
        return reportOpening(opening);
      case 'window':
        // A host that did not open has already reported its failure.
        return ports.forEach((port) => void connectWindow(port).catch(() => undefined));
      case 'video-request':
        return void answerVideo(data);
      case 'tray-request':
        return void answerTray(data);
      case 'cipher-answer':
        return settle(data.id, data.answer);
      case 'close':
        return void close().catch((error: unknown) => {
          log?.error({ err: error }, 'host_close_failed');
          options.exit(1);
        });
    }
  });
}

function createParentCipher(parent: ParentPort) {
  const resolveById = new Map<number, (answer: string | null) => void>();
  let lastId = 0;
  const ask = (act: 'seal' | 'unseal', text: string): Promise<string | null> => {
    lastId += 1;
    const id = lastId;
    return new Promise((resolve) => {
      resolveById.set(id, resolve);
      parent.postMessage({ type: 'cipher-request', id, act, text });
    });
  };
  const cipher: Cipher = {
    seal: (secret) => ask('seal', secret),
    unseal: (sealed) => ask('unseal', sealed),
  };
  const settle = (id: number, answer: string | null): void => {
    resolveById.get(id)?.(answer);
    resolveById.delete(id);
  };
  return { cipher, settle };
}
