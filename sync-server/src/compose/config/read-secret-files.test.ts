import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSecretFiles } from './read-secret-files.ts';

const dir = mkdtempSync(join(tmpdir(), 'parley-secrets-'));
const aFile = (name: string, text: string): string => {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
};

it('a secret is read from its file without the final line break', () => {
  const read = readSecretFiles({ PORT: '1', SECRET_FILE: aFile('secret', 'thirty-two characters or even more\n') });
  expect(read).toMatchObject({ PORT: '1', SECRET: 'thirty-two characters or even more' });
});

it('an unset file variable changes nothing', () => {
  expect(readSecretFiles({ SECRET: 'direct', SECRET_FILE: '' })).toMatchObject({ SECRET: 'direct' });
});

it.each([
  ['both are set', { SECRET: 'a', SECRET_FILE: aFile('both', 'b') }, 'Set either SECRET or SECRET_FILE, not both.'],
  ['the file is missing', { SMTP_URL_FILE: join(dir, 'none') }, 'cannot be read (ENOENT)'],
  ['the file is empty', { SECRET_FILE: aFile('empty', '\n') }, 'is empty'],
  ['the file has several lines', { DATABASE_URL_FILE: aFile('lines', 'a\nb\n') }, 'must contain one line'],
])('an error names the variable when %s', (_, environment, message) => {
  expect(() => readSecretFiles(environment)).toThrow(message);
});
