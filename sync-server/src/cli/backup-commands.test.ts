import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, lstatSync, mkdtempSync, readdirSync, renameSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ensureServerTemplate } from '../../test-kit/server-folder.ts';
import { openDatabase } from '../db/client.ts';

// Each test starts the server's program several times.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'parley-backup-'));
const backup = join(root, 'backup.tgz');

const environment = (dataDir: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  NODE_OPTIONS: process.env['NODE_OPTIONS'],
  NODE_ENV: 'test',
  NODE_NO_WARNINGS: '1',
  DATA_DIR: dataDir,
});

const run = (dataDir: string, ...args: string[]): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], { env: environment(dataDir) }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });

async function execute(dataDir: string, statement: string): Promise<unknown[]> {
  const database = await openDatabase({ type: 'folder', dir: dataDir }, { migrates: false });
  const { rows } = (await database.db.execute(sql.raw(statement))) as { rows: unknown[] };
  await database.close();
  return rows;
}

/** Creates a data folder whose database contains its name. */
async function createDataFolder(name: string): Promise<string> {
  const dir = join(root, name);
  await cp(await ensureServerTemplate(), dir, { recursive: true });
  await execute(dir, `create table label as select '${name}' as name`);
  return dir;
}

const readLabel = (dir: string): Promise<unknown[]> => execute(dir, 'select name from label');
const databasesIn = (dir: string): string[] => readdirSync(dir).filter((name) => name.startsWith('postgres'));

beforeAll(async () => {
  expect(await run(await createDataFolder('backed up'), 'backup', backup)).toMatchObject({ code: 0 });
});

describe('parley-server restore', () => {
  it('leaves the old database in place when it is killed, and can be repeated', { tags: ['slow'] }, async () => {
    const dir = await createDataFolder('old');
    const child: ChildProcess = fork(MAIN, ['restore', backup], { env: environment(dir), stdio: 'ignore' });
    const exited = once(child, 'exit');
    await expect.poll(() => databasesIn(dir).length, { interval: 2, timeout: 60_000 }).toBe(2);
    child.kill('SIGKILL');
    await exited;
    expect(await readLabel(dir)).toEqual([{ name: 'old' }]);
    expect(await run(dir, 'restore', backup)).toMatchObject({ code: 0 });
    expect(await readLabel(dir)).toEqual([{ name: 'backed up' }]);
    expect(databasesIn(dir).toSorted()).toEqual(['postgres', expect.stringMatching(/^postgres\.before-/)]);
  });

  it('is completed by the next command when it was killed between its last two steps', { tags: ['slow'] }, async () => {
    const dir = await createDataFolder('moved away');
    const restored = await createDataFolder('complete');
    renameSync(join(dir, 'postgres'), join(dir, 'postgres.before-2026'));
    renameSync(join(restored, 'postgres'), join(dir, 'postgres.restored'));
    expect((await run(dir, 'migrate', '--dry-run')).output).toBe('The database is up to date.\n');
    expect(await readLabel(dir)).toEqual([{ name: 'complete' }]);
  });

  it('restores nothing later when it was killed before those steps', { tags: ['slow'] }, async () => {
    const dir = await createDataFolder('still there');
    renameSync(join(await createDataFolder('unused'), 'postgres'), join(dir, 'postgres.restored'));
    expect(await readLabel(dir)).toEqual([{ name: 'still there' }]);
    expect(existsSync(join(dir, 'postgres.restored'))).toBe(false);
  });
});

describe.skipIf(process.getuid?.() !== 0)('a command that root runs', () => {
  const NOBODY = 65_534;
  const ROOTS_FOLDER = mkdtempSync(join(root, 'of-root-'));

  const filesOf = (dir: string): string[] =>
    readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((name) => join(dir, name));

  async function createFolderOfNobody(name: string): Promise<string> {
    const dir = await createDataFolder(name);
    // The server also writes next to the folder.
    for (const path of [root, dir, ...filesOf(dir)]) chownSync(path, NOBODY, NOBODY);
    chmodSync(tmpdir(), 0o711);
    return dir;
  }

  it.each([['backup', join(ROOTS_FOLDER, 'backup.tgz')], ['restore', backup], ['migrate'], ['start', '--new-epoch']])(
    'leaves every file to the owner of the data folder: %s',
    { tags: ['slow'] },
    async (...args) => {
      const dir = await createFolderOfNobody(`nobody ${args[0]}`);
      expect(await run(dir, ...args)).toMatchObject({ code: 0 });
      expect(filesOf(dir).filter((path) => lstatSync(path).uid !== NOBODY)).toEqual([]);
    },
  );
});
