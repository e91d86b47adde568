import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { MANIFEST_NAME, parseManifest } from '@parley/speech-pack';
import { makeTinyPack } from '@parley/test-kit';
import { MP4 } from '../../test-kit/media/media-fixture.ts';
import { ensureServerTemplate } from '../../test-kit/server-folder.ts';

// Each test starts the server's program several times.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'parley-cli-'));

const environment = (dataDir: string, more: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  // Preloading these makes module resolution in the tests faster.
  NODE_OPTIONS: process.env['NODE_OPTIONS'],
  NODE_ENV: 'test',
  NODE_NO_WARNINGS: '1',
  LOG_LEVEL: 'error',
  PORT: '0',
  DATA_DIR: join(root, dataDir),
  ...more,
});

async function run(
  dataDir: string,
  args: readonly string[],
  more: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    // A command that hangs fails its test.
    execFile(
      process.execPath,
      [MAIN, ...args],
      { env: environment(dataDir, more), timeout: 60_000 },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

async function start(
  dataDir: string,
  more: Record<string, string> = {},
): Promise<{ child: ChildProcess; address: string; stop: () => Promise<void> }> {
  const child = fork(MAIN, ['start'], {
    env: environment(dataDir, more),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    execArgv: [],
  });
  const [{ address }] = (await once(child, 'message')) as [{ address: string }];
  return {
    child,
    address,
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Copies a database that is up to date, because creating one takes seconds. */
const openDatabase = async (dataDir: string): Promise<void> =>
  cp(await ensureServerTemplate(), join(root, dataDir), { recursive: true });

describe('parley-server', () => {
  it('migrates only when it is not a dry run', { tags: ['slow'] }, async () => {
    const dry = await run('migrated', ['migrate', '--dry-run']);
    expect(dry.stdout).toMatch(/^There is no database in .*migrated yet\. In a new one:\nwould run 0000_/);
    expect(existsSync(join(root, 'migrated'))).toBe(false);
    const again = await run('migrated', ['migrate', '--dry-run']);
    expect(again.stdout).toBe(dry.stdout);
    expect((await run('migrated', ['migrate'])).stdout).toMatch(/\d+ migrations done/);
    expect((await run('migrated', ['migrate'])).stdout).toContain('The database is up to date.');
  });

  it('backs up a database, verifies the file, and puts it back', { tags: ['slow'] }, async () => {
    await openDatabase('original');
    const file = join(root, 'backup.tgz');
    const backedUp = await run('original', ['backup', file]);
    expect(backedUp).toMatchObject({ code: 0 });
    expect(backedUp.stdout).toMatch(
      /Also keep a copy of .*original.secret and of the files in .*original.media: the backup/,
    );
    expect((await run('original', ['backup', file])).stderr).toContain('exists: choose another name');
    expect((await run('original', ['backup', join(root, 'nowhere', 'backup.tgz')])).stderr).toMatch(
      /^The folder .*nowhere does not exist: create it, or choose another\.$/m,
    );
    const verified = await run('copy', ['restore', file, '--verify']);
    expect(verified.stdout).toContain('is readable: 0 accounts');
    expect(existsSync(join(root, 'copy', 'postgres'))).toBe(false);
    expect(await run('copy', ['restore', file])).toMatchObject({ code: 0 });
    expect((await run('copy', ['migrate', '--dry-run'])).stdout).toContain('up to date');
  });

  it('leaves the database alone when a backup is damaged', { tags: ['slow'] }, async () => {
    await openDatabase('kept');
    const file = join(root, 'damaged.tgz');
    writeFileSync(file, 'not a backup');
    expect(await run('kept', ['restore', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it is damaged'),
    });
    expect((await run('kept', ['migrate', '--dry-run'])).stdout).toBe('The database is up to date.\n');
  });

  it('refuses to open a database that a running server has open', { tags: ['slow'] }, async () => {
    await openDatabase('running');
    const server = await start('running');
    const refused = await run('running', ['admin', 'list']);
    expect(refused.stderr).toMatch(/stop the server first/);
    expect(refused.code).toBe(1);
    server.child.kill('SIGKILL');
    await once(server.child, 'exit');
    expect(await run('running', ['admin', 'list'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('There are no admins'),
    });
    const unknown = await run('running', ['admin', 'grant', 'x@parley.example']);
    expect(unknown.stderr).toContain('No account signs in with x@parley.example');
  });

  it.each([
    ['admin', 'list'],
    ['pack', 'export', join(root, 'none.zip')],
    ['backup', join(root, 'none.tgz')],
    ['start', '--new-epoch'],
  ])('creates no database where there is none: %s %s', { tags: ['slow'] }, async (...args) => {
    const { code, stderr } = await run('nothing', args);
    expect(stderr).toMatch(/^There is no database in .*nothing: set DATA_DIR/);
    expect(code).toBe(1);
    expect(readdirSync(root).filter((name) => name.startsWith('no'))).toEqual([]);
  });

  it('says in the doctor’s report that there is no database yet', async () => {
    const { code, stdout } = await run('nothing', ['doctor']);
    expect(stdout).toMatch(
      /^ok {4}database: none yet in .*nothing; the first start creates it, so correct DATA_DIR if there should be one$/m,
    );
    expect(stdout).toMatch(/^All checks passed, but there is no database yet\. /m);
    expect(code).toBe(0);
    expect(existsSync(join(root, 'nothing'))).toBe(false);
  });

  it.each([
    ['start', { DOWNLOADS_DIR: join(root, 'downloads') }, /^DOWNLOADS_DIR: there is no folder .*downloads\. Create it/],
    ['check-config', { SITE_DIR: MAIN }, /^SITE_DIR: there is no folder .*main\.ts\. Create it/],
  ])('%s refuses a folder of the operator’s that does not exist', async (command, more, sentence) => {
    const { code, stderr } = await run('folders', [command], more);
    expect(stderr).toMatch(sentence);
    expect(code).toBe(2);
    expect((await run('folders', ['doctor'], more)).stdout).toMatch(/^FAIL {2}folders: /m);
  });

  it.each([
    ['too many arguments', ['migrate', 'x'], {}, /too many arguments/],
    ['a text that is no address', ['admin', 'grant', 'x'], {}, /x is not an e-mail address/],
    ['an unknown command', ['nonsense'], {}, /--help lists the commands/],
    ['a secret file that is missing', ['check-config'], { SECRET_FILE: '/none' }, /SECRET_FILE: \/none cannot be read/],
    ['an invalid port', ['check-config'], { PORT: 'x' }, /PORT/],
    ['PostgreSQL', ['backup', 'x'], { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' }, /own backups/],
  ])('says what to do about %s', { tags: ['slow'] }, async (_, args, more, message) => {
    const { code, stderr } = await run('empty', args, more);
    expect(stderr).toMatch(message);
    expect(code).not.toBe(0);
  });

  it.each([
    ['a command that does not exist', ['bogus'], {}, "unknown command 'bogus'"],
    [
      'a name without an address',
      ['start'],
      { HOST: 'nosuch.invalid', PARLEY_INSECURE: '1' },
      'correct HOST or METRICS_HOST',
    ],
    ['a folder below a file', ['start'], { DATA_DIR: join(MAIN, 'below') }, 'correct the path (ENOTDIR)'],
    ['a file as its folder', ['start'], { DATA_DIR: MAIN }, 'is a file, and a folder is needed'],
    ['a file as the folder of videos', ['start'], { MEDIA_DIR: MAIN }, 'is a file, and a folder is needed'],
    [
      'a folder for videos where none can be created',
      ['start'],
      { MEDIA_DIR: '/proc/parley' },
      '/proc/parley does not exist',
    ],
    ['a backup that has no folder', ['restore', '/none/backup.tgz'], {}, '/none/backup.tgz cannot be read'],
    [
      'a speech pack without files',
      ['speech-pack', '/none', '--name', 'x', '--licence', 'MIT'],
      {},
      '/none: There are no files of a model in this folder.',
    ],
  ])('reports %s in one sentence', async (_what, args, more, sentence) => {
    const { code, stderr } = await run('failures', args, more);
    expect(code).not.toBe(0);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  it('reports an unreachable database in one sentence without its password', async () => {
    const failed = await run('empty', ['doctor'], { DATABASE_URL: 'postgres://a:hunter2@127.0.0.1:1/c' });
    expect(failed.stdout).toContain('FAIL  database: The database cannot be reached (ECONNREFUSED).');
    expect(failed.stdout + failed.stderr).not.toContain('hunter2');
  });
});

describe('a server whose database is not there yet', () => {
  // The first process in a container ignores signals for which it has no handler, so it must not rely on dying from the
  // signal.
  it.each([
    ['asked to stop', (child: ChildProcess) => child.kill('SIGTERM')],
    ['left alone by its parent', (child: ChildProcess) => child.disconnect()],
  ])('tries again until it is %s', { tags: ['slow'] }, async (_what, stop) => {
    const child = fork(MAIN, ['start'], {
      env: environment('waiting', { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' }),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: [],
    });
    let said = '';
    for await (const chunk of child.stderr ?? []) {
      said += String(chunk);
      if (said.includes('Trying again in 2 s.')) break;
    }
    expect(said).toBe(
      [1, 2].map((s) => `The database cannot be reached (ECONNREFUSED). Trying again in ${s} s.\n`).join(''),
    );
    const exited = once(child, 'exit');
    stop(child);
    expect(await exited).toEqual([0, null]);
  });
});

it('leaves no incomplete database when its server is stopped during the first start', { tags: ['slow'] }, async () => {
  const folder = join(root, 'first');
  const child = fork(MAIN, ['start'], { env: environment('first'), stdio: 'ignore', execArgv: [] });
  const files = (): string[] => (existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []);
  await expect
    .poll(() => files().some((name) => name.endsWith('PG_VERSION')), { interval: 5, timeout: 60_000 })
    .toBe(true);
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  const left = files();
  await pause(1_500);
  expect(files()).toEqual(left);
  expect((await run('first', ['doctor'])).stdout).toContain('database: none');
  expect((await run('first', ['migrate'])).stdout).toMatch(/\d+ migrations done/);
  expect(readdirSync(folder).filter((name) => name.startsWith('postgres'))).toEqual(['postgres']);
});

describe('an operator', () => {
  it('reads figures at a port of their own, and sees when the node drains', { tags: ['slow'] }, async () => {
    const port = await freePort();
    await openDatabase('measured');
    const server = await start('measured', { METRICS_PORT: String(port), SHUTDOWN_DRAIN_S: '1' });
    expect((await fetch(`${server.address}/livez`)).status).toBe(200);
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
    expect((await fetch(`${server.address}/metrics`)).status).toBe(404);
    const figures = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(figures).toMatch(
      /parley_http_request_duration_seconds_count\{method="GET",route="\/livez",status="200"\} 1/,
    );
    expect(figures).toMatch(/route="unknown",status="404"/);
    expect(figures).toMatch(/^parley_mails_waiting 0$/m);
    expect(figures).toMatch(/^parley_ai_cost_today_usd 0$/m);

    server.child.kill('SIGTERM');
    await expect.poll(async () => (await fetch(`${server.address}/readyz`)).status).toBe(503);
    expect((await fetch(`${server.address}/livez`)).status).toBe(200);
    await once(server.child, 'exit');
  });

  it('receives traces at the collector that the standard variables name', { tags: ['slow'] }, async () => {
    const received: { path: string | undefined; body: string }[] = [];
    const collector = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        received.push({ path: request.url, body: Buffer.concat(chunks).toString('latin1') });
        response.writeHead(200).end();
      });
    }).listen(0, '127.0.0.1');
    await once(collector, 'listening');
    const { port } = collector.address() as AddressInfo;
    await openDatabase('traced');
    const server = await start('traced', { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
    await fetch(`${server.address}/livez?email=someone@parley.example`);
    await server.stop();
    collector.close();
    const traces = received.filter(({ path }) => path === '/v1/traces').map(({ body }) => body);
    expect(traces.join('')).toContain('/livez');
    expect(traces.join('')).toContain('parley-server');
    expect(traces.join('')).not.toContain('someone@');
  });
});

describe('parley-server speech-pack', () => {
  it('describes a model, and refuses a folder without one', { tags: ['slow'] }, async () => {
    const folder = await makeTinyPack();
    const flags = ['--name', 'Tiny', '--licence', 'MIT', '--precision', 'fp32'];
    expect(await run('speech-pack', ['speech-pack', folder, ...flags])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Tiny: 7 files, 0\.0 MB, [0-9a-f]{64}\n$/) as string,
    });
    expect(parseManifest(readFileSync(join(folder, MANIFEST_NAME), 'utf8'))).toMatchObject({
      name: 'Tiny',
      precision: 'fp32',
      source: null,
    });
    rmSync(join(folder, 'tokenizer.json'));
    expect(await run('speech-pack', ['speech-pack', folder, ...flags])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The model needs the files') as string,
    });
    expect((await run('speech-pack', ['speech-pack', folder])).stderr).toContain("required option '--name <name>'");
  });
});

describe('parley-server pack', () => {
  const folder = join(root, 'pack');
  beforeAll(() => {
    mkdirSync(join(folder, 'videos'), { recursive: true });
    mkdirSync(join(folder, 'media'));
    writeFileSync(
      join(folder, 'videos/tour.yaml'),
      'title: A tour\ndescription: Where everything is.\nfile: media/tour.mp4\ntranscript: Welcome.\n',
    );
    writeFileSync(join(folder, 'media/tour.mp4'), MP4);
  });

  it('brings a folder with a video to a server, and takes it to another', { tags: ['slow'] }, async () => {
    await openDatabase('pack-from');
    await openDatabase('pack-to');
    expect(await run('pack-from', ['pack', 'validate', folder])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The pack has no mistakes.'),
    });
    const shown = 'This will change:\n  new     video    A tour\n';
    expect(await run('pack-from', ['pack', 'import', folder])).toMatchObject({
      code: 1,
      stdout: shown,
      stderr: expect.stringContaining('Nothing was imported: add --yes'),
    });
    expect(await run('pack-from', ['pack', 'import', folder, '--publish', '--yes'])).toMatchObject({
      stdout: `${shown}Imported: 1 changed, 1 published.\n`,
    });
    const file = join(root, 'content.zip');
    expect((await run('pack-from', ['pack', 'export', file])).code).toBe(0);
    // Both servers have the starter catalogue, which the pack contains too.
    expect((await run('pack-to', ['pack', 'import', file, '--yes'])).stdout).toMatch(
      /^This will change:\n {2}new {5}video {4}A tour\n\d+ documents of the pack .*\nImported: 1 changed, 0 published\.\n$/,
    );
    const again = join(root, 'again.zip');
    await run('pack-to', ['pack', 'export', again]);
    expect(readFileSync(again).equals(readFileSync(file))).toBe(true);
  });

  it('names each mistake with its place, and imports nothing', { tags: ['slow'] }, async () => {
    await openDatabase('pack-refused');
    const broken = join(root, 'broken');
    cpSync(folder, broken, { recursive: true });
    writeFileSync(join(broken, 'media/tour.mp4'), 'no video');
    for (const command of ['validate', 'import'])
      expect(await run('pack-refused', ['pack', command, broken])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('media/tour.mp4: This file isn’t a video.'),
      });
    expect((await run('pack-refused', ['pack', 'import', join(root, 'nowhere')])).stderr).toContain('There is no file');
  });
});

async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
