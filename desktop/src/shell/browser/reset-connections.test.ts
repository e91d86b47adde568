/** Any program on the computer can open a connection to the window's port, and reset it. */
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startWindowServer } from './window-server.ts';

it('survives connections that are reset while they ask for the WebSocket', async () => {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  process.on('uncaughtException', onError);
  const folder = mkdtempSync(join(tmpdir(), 'parley-window-'));
  const window = await startWindowServer({
    host: { host: () => Promise.reject(new Error('no host is needed')) },
    windowDir: folder,
    rendererDir: folder,
  });
  onTestFinished(async () => {
    process.off('uncaughtException', onError);
    await window.close();
  });
  const { hostname, port, host } = new URL(window.origin);
  for (let count = 0; count < 30; count += 1) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(`GET /host HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    await wait(count % 5);
    socket.resetAndDestroy();
  }
  await wait(200);
  expect(errors).toEqual([]);
  expect((await fetch(window.origin)).status).toBe(403);
});
