import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findSuitesFile, readTestOptions } from './test-options.ts';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));
const SIGN_IN = 'sync-server/src/account/sign-in/sign-in.suite.ts';
const ACCOUNT_SUITES = join('sync-server', 'src', 'account', 'both-databases.test.ts');

describe('the arguments of npm test', () => {
  it('are passed on to vitest', () => {
    expect(readTestOptions(['desktop/src', '-t', 'sync'], rootDir)).toEqual({
      selection: ['desktop/src', '-t', 'sync'],
      leavesOutSlow: false,
      environment: {},
    });
  });

  it.each([
    ['after the path', [SIGN_IN, '--database', 'postgres']],
    ['before the path', ['--database', 'postgres', SIGN_IN]],
    ['in one word', ['--database=postgres', SIGN_IN]],
  ])('select one suite and one database: %s', (_where, args) => {
    expect(readTestOptions(args, rootDir)).toEqual({
      selection: [ACCOUNT_SUITES],
      leavesOutSlow: false,
      environment: { PARLEY_TEST_DATABASE: 'postgres', PARLEY_TEST_SUITE: join(rootDir, ...SIGN_IN.split('/')) },
    });
  });

  it('leave slow tests and the second database out, unless all are asked for', () => {
    expect(readTestOptions([], rootDir)).toEqual({
      selection: [],
      leavesOutSlow: true,
      environment: { PARLEY_TEST_DATABASE: 'first' },
    });
    expect(readTestOptions(['--all'], rootDir)).toEqual({ selection: [], leavesOutSlow: false, environment: {} });
  });

  it.each([
    ['a database that there is not', ['--database', 'mysql'], '--database must be pglite or postgres, not "mysql".'],
    ['a database without a name', ['--database'], '--database must be pglite or postgres, not "".'],
    ['a suite that there is not', ['none.suite.ts'], 'There is no suite at'],
    ['two suites', [SIGN_IN, SIGN_IN], 'A suite runs alone'],
  ])('are refused: %s', (_what, args, sentence) => {
    expect(() => readTestOptions(args, rootDir)).toThrow(sentence);
  });
});

it('every suite is run by the test file that npm test finds for it', () => {
  const suites = globSync('{sync-server,bench}/src/**/*.suite.ts', { cwd: rootDir });
  expect(suites.length).toBeGreaterThan(50);
  for (const suite of suites) {
    const suitesFile = findSuitesFile(join(rootDir, suite), rootDir);
    const path = relative(dirname(suitesFile), suite).split(sep).join('/');
    expect(readFileSync(join(rootDir, suitesFile), 'utf8'), suite).toContain(`'./${path}', () =>`);
  }
});
