import { expect, it } from 'vitest';
import {
  countLeftOut,
  describeFailedTests,
  describeRetriedTests,
  describeSlowestTests,
  TestReport,
} from './test-report.ts';

const report = (file: string, durations: Record<string, number | null>): TestReport =>
  TestReport.parse({
    numPassedTests: 1,
    numFailedTests: 0,
    numPendingTests: 0,
    numFailedTestSuites: 0,
    testResults: [
      {
        name: file,
        assertionResults: Object.entries(durations).map(([fullName, duration]) => ({ fullName, duration })),
      },
    ],
  });

it('lists the slowest tests of every report, slowest first', () => {
  const reports = [
    report('/project/desktop/a.test.ts', { quick: 3.2, slow: 1_200.6, skipped: null }),
    report('/project/desktop/e2e/b.e2e.ts', { journey: 45_000 }),
  ];
  expect(describeSlowestTests(reports, { rootDir: '/project', count: 2 })).toEqual([
    '  45000 ms  desktop/e2e/b.e2e.ts: journey',
    '   1201 ms  desktop/a.test.ts: slow',
  ]);
});

it('lists every test when there are fewer than asked for', () => {
  const reports = [report('/project/a.test.ts', { one: 1, two: 2 })];
  expect(describeSlowestTests(reports, { rootDir: '/project', count: 20 })).toHaveLength(2);
});

it('lists failed tests and files with the first line of the reason', () => {
  const broken = TestReport.parse({
    numPassedTests: 1,
    numFailedTests: 1,
    numPendingTests: 0,
    numFailedTestSuites: 1,
    testResults: [
      {
        name: '/project/a.test.ts',
        message: '',
        assertionResults: [
          { fullName: 'adds', status: 'failed', failureMessages: ['Error: expected 2\n    at a.test.ts:3'] },
          { fullName: 'subtracts', status: 'passed', failureMessages: [] },
        ],
      },
      { name: '/project/b.test.ts', message: 'Cannot find module\nsomewhere', assertionResults: [] },
    ],
  });
  expect(describeFailedTests([broken], '/project')).toEqual([
    'a.test.ts: adds: Error: expected 2',
    'b.test.ts: Cannot find module',
  ]);
});

it('lists the tests that passed at their second try', () => {
  const retried = TestReport.parse({
    ...report('/project/b.test.ts', {}),
    testResults: [
      {
        name: '/project/a.test.ts',
        assertionResults: [
          { fullName: 'races', status: 'passed', failureMessages: ['Error: expected 2\n    at a.test.ts:3'] },
          { fullName: 'adds', status: 'passed', failureMessages: [] },
          { fullName: 'fails twice', status: 'failed', failureMessages: ['Error', 'Error'] },
        ],
      },
    ],
  });
  expect(describeRetriedTests([retried], '/project')).toEqual(['a.test.ts: races: Error: expected 2']);
});

it('counts the tests that were left out because they are slow', () => {
  const assertions = [
    { fullName: 'ran', status: 'passed', tags: ['slow'] },
    { fullName: 'was left out', status: 'skipped', tags: ['slow'] },
    { fullName: 'cannot run here', status: 'skipped', tags: [] },
  ];
  const file = { name: '/project/a.test.ts', assertionResults: assertions };
  expect(countLeftOut(TestReport.parse({ ...report('/project/b.test.ts', {}), testResults: [file] }))).toBe(1);
});
