import { execFile, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

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
  // Without these tests nothing deletes the folder, so nothing may create it.
  beforeAll(async () => {
    mkdirSync(dir, { mode: 0o700 });
    await promisify(execFile)(process.execPath, [join(root, 'scripts/build-server.ts'), join(dir, 'dist')]);
    // Outside the repository no package of it resolves.
    cpSync(join(dir, 'dist'), built, { recursive: true });
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

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

  it('has the commands of its operator', async () => {
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
  it.each([
    ['other files', 'thesis.txt', 'mine'],
    ['a broken package.json', 'package.json', '{ "name": '],
  ])('refuses a folder with %s instead of emptying it', async (_content, name, text) => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-precious-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, name), text);
    const build = promisify(execFile)(process.execPath, [join(root, 'scripts/build-server.ts'), folder]);
    await expect(build).rejects.toMatchObject({
      code: 1,
      stderr: `${folder} contains something other than a built server: choose an empty folder.\n`,
    });
    expect(readdirSync(folder)).toEqual([name]);
  });
});
