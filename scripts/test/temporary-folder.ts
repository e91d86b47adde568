/** Vitest runs this before each test file: what its tests write into the temporary folder is removed after the last of them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const VARIABLE = process.platform === 'win32' ? 'TEMP' : 'TMPDIR';

const shared = tmpdir();
const folder = mkdtempSync(join(shared, 'parley-tests-'));
process.env[VARIABLE] = folder;

afterAll(() => {
  process.env[VARIABLE] = shared;
  // A program that a test has killed may still write a file.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
