import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import type { desktopContract } from '@parley/contract';
import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { aDataFolder, recordTurn } from '../../../host/test-kit/open-host.ts';
import { readRecordingStates } from '../../../host/test-kit/read-database.ts';
import type { FromHost, ToHost } from './host-messages.ts';
import { serveHost, type WindowPort } from './serve-host.ts';

it('closes the recording of a window whose port is closed', async () => {
  const dataDir = aDataFolder();
  const parent = new EventEmitter();
  const answers: FromHost[] = [];
  const exited = Promise.withResolvers<number>();
  const tell = (data: ToHost, ports: readonly WindowPort[] = []): void => void parent.emit('message', { data, ports });
  serveHost(
    { on: (event, listener) => parent.on(event, listener), postMessage: (message) => void answers.push(message) },
    { exit: exited.resolve },
  );
  tell({
    type: 'open',
    start: {
      dataDir,
      serverUrl: null,
      defaultServerUrl: null,
      version: 'test',
      safeMode: false,
      migrationsDir: fileURLToPath(new URL('../../../host/store/migrations', import.meta.url)),
      modelDir: '',
      scorerWorkerFile: '/scorer-worker.js',
      voiceWorkerFile: '/voice-worker.js',
      opusWorkerFile: '/opus-worker.js',
      transcriptionWorkerFile: '/transcription-worker.js',
    },
  });
  const { port1: theirs, port2: hosts } = new MessageChannel();
  tell({ type: 'window' }, [hosts]);
  const client: ContractRouterClient<typeof desktopContract> = createORPCClient(new RPCLink({ port: theirs }));
  theirs.start();

  const practice = (await client.catalogue.practices()).find(({ state }) => state !== 'coming_soon');
  if (practice === undefined) throw new Error('the catalogue has no practice that can be started');
  const { practiceId } = practice;
  const { sessionId } = await client.practice.start({ practiceId, difficulty: 'easy', communicationStyle: 'audio' });
  await recordTurn(client, sessionId);
  expect(readRecordingStates(dataDir)).toEqual(['recording']);
  tell({ type: 'tray-request', id: 7 });
  // The window has not sent its texts yet.
  await expect.poll(() => answers).toContainEqual({ type: 'tray-answer', id: 7, state: null });
  theirs.close();
  await expect.poll(() => readRecordingStates(dataDir)).toEqual(['waiting']);
  tell({ type: 'close' });
  expect(await exited.promise).toBe(0);
});
