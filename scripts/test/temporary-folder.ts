/**
 * Vitest runs this before each test file. Everything that the file's tests write into the temporary folder is removed
 * after the last of them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll } from 'vitest';

const VARIABLE = process.platform === 'win32' ? 'TEMP' : 'TMPDIR';

const PREFIX = 'parley-tests-';

const former = tmpdir();
// No hook runs in a file all of whose tests are skipped, so its folder is still there.
const isLeft = basename(former).startsWith(PREFIX);
if (isLeft) rmSync(former, { recursive: true, force: true, maxRetries: 5 });
const shared = isLeft ? dirname(former) : former;
const folder = mkdtempSync(join(shared, PREFIX));
process.env[VARIABLE] = folder;

afterAll(() => {
  process.env[VARIABLE] = shared;
  // A program that a test has killed may still write a file.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
