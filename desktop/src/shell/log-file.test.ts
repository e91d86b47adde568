import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { logFolder, openLogFile } from './log-file.ts';

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'parley-log-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const readAll = (): string =>
  readdirSync(logFolder(dataDir))
    .map((name) => readFileSync(join(logFolder(dataDir), name), 'utf8'))
    .join('');

it('says what happened and where, without an error’s words or tokens', () => {
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
