import { execFile, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const dir = join(tmpdir(), `parley-built-${randomUUID()}`);
const built = join(dir, 'server');
const environment = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  NODE_ENV: 'test',
  LOG_LEVEL: 'error',
  PORT: '0',
  DATA_DIR: join(dir, 'data'),
};

describe('the built server', { tags: ['slow'] }, () => {
  // If these tests do not run, nothing deletes the folder, so nothing may create it.
  beforeAll(async () => {
    mkdirSync(dir, { mode: 0o700 });
    await promisify(execFile)(process.execPath, [join(root, 'scripts/build-server.ts'), join(dir, 'dist')]);
    // Outside the repository, none of its packages can be resolved.
    cpSync(join(dir, 'dist'), built, { recursive: true });
  });

  it('contains no TypeScript', () => {
    const names = readdirSync(built, { recursive: true, encoding: 'utf8' });
    expect(names.filter((name) => /\.tsx?$/.test(name))).toEqual([]);
    expect(existsSync(join(built, 'node_modules/@electric-sql/pglite'))).toBe(true);
  });

  it('starts from its folder alone and serves pages, the admin panel and the contract', async () => {
    const child = fork(join(built, 'parley-server.mjs'), {
      env: environment,
      cwd: dir,
      execArgv: [],
      stdio: 'inherit',
    });
    const [{ address }] = (await once(child, 'message')) as [{ address: string }];
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${address}/sign-in`)).text()).toContain('Parley');
    expect(await (await fetch(`${address}/admin`)).text()).toContain('/admin/assets/');
    const picture = await (await fetch(`${address}/site/preview.png`)).bytes();
    expect(Buffer.from(picture.subarray(1, 4)).toString()).toBe('PNG');
    expect(await (await fetch(`${address}/openapi.json`)).json()).toMatchObject({ openapi: expect.any(String) });
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(0);
  });

  it('is replaced by the next build', async () => {
    const dist = join(dir, 'dist');
    const before = readdirSync(dist, { recursive: true });
    writeFileSync(join(dist, 'part-0LD0LD0L.mjs'), '');
    await promisify(execFile)(process.execPath, [join(root, 'scripts/build-server.ts'), dist]);
    expect(readdirSync(dist, { recursive: true })).toEqual(before);
  });

  it('contains the operator’s commands', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(built, 'bin/parley-server'), 'migrate', '--dry-run'],
      {
        env: environment,
        cwd: dir,
      },
    );
    expect(stdout).toContain('The database is up to date.');
  });
});

describe('npm run build:server', () => {
  const ownPackage = JSON.stringify({ name: 'parley-server', version: '1.0.0' }, null, 2);

  it.each([
    ['the files of somebody', { 'thesis.txt': 'mine' }, 'contains thesis.txt, which no build'],
    ['the data of a server', { 'package.json': ownPackage, 'data/server/v': '17' }, 'contains data, which no build'],
    ['a configuration', { 'package.json': ownPackage, LICENSE: '', '.env': 'A=1' }, 'contains .env, which no build'],
    ['another package', { 'package.json': '{ "name": "thesis" }' }, 'has no package.json of a built server'],
    ['a damaged package.json', { 'package.json': '{' }, 'has no package.json of a built server'],
    [
      'half a build',
      { 'parley-server.mjs': '', 'dist-AB12CD34.mjs': '' },
      'has no package.json of a built server. If it is what an interrupted build has left, delete it',
    ],
  ])('refuses a folder with %s instead of emptying it', async (_, files: Record<string, string>, sentence) => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-precious-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const before = readdirSync(folder, { recursive: true });
    expect(await refusalOf(folder)).toContain(`${folder} ${sentence}`);
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
  });

  it('refuses a file in place of the folder', async () => {
    const file = fileURLToPath(import.meta.url);
    expect(await refusalOf(file)).toBe(`${file} is a file: choose a folder.\n`);
  });

  async function refusalOf(folder: string): Promise<string> {
    const build = promisify(execFile)(process.execPath, [join(root, 'scripts/build-server.ts'), folder]);
    const { code, stderr } = (await build.catch((error: unknown) => error)) as { code?: number; stderr: string };
    expect(code).toBe(1);
    return stderr;
  }
});
