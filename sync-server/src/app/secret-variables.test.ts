import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SECRET_VARIABLES } from './secret-variables.ts';

const README = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

it('names every secret of the server that the README lists', () => {
  const rows = README.split('\n').filter((line) => /^\|\s*`[A-Z_]+`.*\|\s*server\s*\|/.test(line));
  expect(rows.length).toBeGreaterThan(20);
  const named = rows.flatMap((row) => row.split('|')[1]?.match(/[A-Z][A-Z_]+/g) ?? []);
  const secrets = named.filter((name) => /KEY$|SECRET$|^DATABASE_URL$|^SMTP_URL$/.test(name));
  expect([...SECRET_VARIABLES].toSorted()).toEqual(secrets.toSorted());
});
