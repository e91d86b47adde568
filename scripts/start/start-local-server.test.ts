import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { startLocalServer } from './start-local-server.ts';

const READY = "process.on('disconnect', () => process.exit(0)); process.send('ready');";
const FAILS = 'process.exit(1);';
let rootDir = '';
let said: string[] = [];

beforeEach(() => {
  rootDir = mkdtempSync(join(tmpdir(), 'parley-local-server-'));
  said = [];
});

const portFile = (): string => join(rootDir, 'server-port');

/** Starts a fake server program, and waits until it is ready or has ended. */
async function start(program: string, { port }: { port?: number } = {}) {
  mkdirSync(join(rootDir, 'sync-server/src'), { recursive: true });
  writeFileSync(join(rootDir, 'sync-server/src/main.ts'), program);
  const server = { dataDir: rootDir, port };
  const started = await startLocalServer({ rootDir, dataDir: rootDir, server, say: (line) => said.push(line) });
  await expect.poll(() => said.length, { timeout: 20_000 }).toBeGreaterThan(0);
  return started;
}

it('the port of a server that was ready is used again', async () => {
  const first = await start(READY);
  // The file is there a moment before its content.
  await expect.poll(() => existsSync(portFile()) && readFileSync(portFile(), 'utf8')).toMatch(/^\d+$/);
  expect(first.address).toBe(`http://127.0.0.1:${readFileSync(portFile(), 'utf8')}`);
  await first.stop();
  said = [];
  const again = await start(READY);
  expect(again.address).toBe(first.address);
  await again.stop();
});

it('a server that could not start does not change the remembered port of the running one', async () => {
  const running = createServer().listen(0, '127.0.0.1');
  await once(running, 'listening');
  const port = String((running.address() as AddressInfo).port);
  writeFileSync(portFile(), port);
  await start(FAILS);
  running.close();
  expect(said).toEqual([expect.stringContaining('The sync server stopped (1).')]);
  expect(readFileSync(portFile(), 'utf8')).toBe(port);
});

it('a port that was asked for is not remembered', async () => {
  const started = await start(READY, { port: 4_999 });
  expect(started.address).toBe('http://127.0.0.1:4999');
  await started.stop();
  expect(existsSync(portFile())).toBe(false);
});
