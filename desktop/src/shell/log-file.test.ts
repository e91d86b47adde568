import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { logFolder, openLogFile } from './log-file.ts';

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'parley-log-'));
});

const readAll = (): string =>
  readdirSync(logFolder(dataDir))
    .map((name) => readFileSync(join(logFolder(dataDir), name), 'utf8'))
    .join('');

it('records the event and its place, without an error’s words or tokens', () => {
  const log = openLogFile(dataDir, 'app');
  const cause = Object.assign(new Error('the token is parley_secret'), { code: 'SQLITE_FULL' });
  log.error({ err: new TypeError('cannot store "I was\n    at home yesterday"', { cause }) }, 'turn_not_saved');
  log.close();
  const text = readAll();
  for (const part of ['turn_not_saved', 'TypeError', 'SQLITE_FULL', 'log-file.test.ts']) expect(text).toContain(part);
  for (const secret of ['yesterday', 'parley_secret', 'cannot store']) expect(text).not.toContain(secret);
});

it('keeps a few files of a limited size, over several starts', () => {
  for (let start = 0; start < 3; start += 1) {
    const log = openLogFile(dataDir, 'app');
    for (let line = 0; line < 3_000; line += 1) {
      log.info({ filler: 'x'.repeat(1_000) }, 'entry');
    }
    log.close();
  }
  const sizes = readdirSync(logFolder(dataDir)).map((name) => statSync(join(logFolder(dataDir), name)).size);
  expect(sizes).toHaveLength(4);
  expect(Math.max(...sizes)).toBeLessThan(1_010_000);
});

it.skipIf(!existsSync('/dev/full'))('drops lines on a full disk, and continues when there is space', () => {
  mkdirSync(logFolder(dataDir));
  const file = join(logFolder(dataDir), 'app.1.log');
  symlinkSync('/dev/full', file);
  const log = openLogFile(dataDir, 'app');
  log.error({}, 'backup_failed');
  log.close();
  rmSync(file);
  const again = openLogFile(dataDir, 'app');
  again.info({}, 'entry');
  again.close();
  expect(readAll()).toContain('entry');
});

it('drops lines while its files cannot be renamed, and keeps the older ones', () => {
  mkdirSync(logFolder(dataDir));
  const fileNumber = (number: number): string => join(logFolder(dataDir), `app.${number}.log`);
  writeFileSync(fileNumber(1), 'x'.repeat(1_000_000));
  for (const number of [2, 3]) writeFileSync(fileNumber(number), `file ${number}`);
  // A folder cannot be replaced by renaming a file, like a file that another program holds open on Windows.
  mkdirSync(fileNumber(4));
  const log = openLogFile(dataDir, 'app');
  log.error({}, 'backup_failed');
  log.error({}, 'backup_failed');
  expect([2, 3].map((number) => readFileSync(fileNumber(number), 'utf8'))).toEqual(['file 2', 'file 3']);
  rmSync(fileNumber(4), { recursive: true });
  log.info({}, 'entry');
  log.close();
  expect(readFileSync(fileNumber(1), 'utf8')).toContain('entry');
  expect([3, 4].map((number) => readFileSync(fileNumber(number), 'utf8'))).toEqual(['file 2', 'file 3']);
});

it('drops every line when its folder cannot be made, or after it was closed', () => {
  writeFileSync(logFolder(dataDir), '');
  const log = openLogFile(dataDir, 'app');
  log.error({}, 'backup_failed');
  rmSync(logFolder(dataDir));
  log.close();
  log.error({}, 'backup_failed');
  expect(existsSync(logFolder(dataDir))).toBe(false);
});
