import { expect, it } from 'vitest';
import { CrashReport, type CrashOrigin, toCrashReport } from './crash-report.ts';

const ORIGIN: CrashOrigin = {
  id: '3a7f4c1e-9a55-4a53-8d7c-0a2f9b0e6f11',
  at: new Date('2026-11-24T10:00:00.000Z'),
  source: 'host',
  version: '0.3.0',
  platform: 'linux',
  release: '6.1.0-18-amd64',
  arch: 'x64',
};

const STACKS = {
  posix: `TypeError: Cannot read "I am sorry, the delivery is late" of undefined
    at push (file:///srv/ada.lovelace/parley/desktop/src/host/sync/sync-loop.ts:120:7)
    at async Object.run (/Volumes/Ada Lovelace/Parley.app/host.mjs:9:31)
    at new Store (node:internal/process/task_queues:105:5)
    at /srv/ada/secret words/x.ts:1:2`,
  windows: `Error: no
    at Object.<anonymous> (D:\\People\\Ada Lovelace\\Parley\\resources\\app.asar\\out\\main\\host.mjs:4:10)`,
  browser: `ReferenceError: hello is not defined
    at http://127.0.0.1:41233/Zk3secretTokenOfTheWindow/assets/index-B2x_9.js:1:23456
    at onPress (parley://app/assets/index-B2x_9.js:1:99)`,
};

it.each([
  ['posix', ['push (sync-loop.ts:120:7)', 'Object.run (host.mjs:9:31)', 'Store (task_queues:105:5)', '(x.ts:1:2)']],
  ['windows', ['Object.<anonymous> (host.mjs:4:10)']],
  ['browser', ['(index-B2x_9.js:1:23456)', 'onPress (index-B2x_9.js:1:99)']],
] as const)('keeps where a crash happened, without messages and folders (%s)', (system, frames) => {
  const report = toCrashReport({ kind: 'TypeError', stack: STACKS[system] }, ORIGIN);
  expect(report.frames).toEqual(frames);
  expect(CrashReport.parse(report)).toEqual(report);
  expect(JSON.stringify(report)).not.toMatch(/ada|lovelace|sorry|hello|secret|127\.0/i);
});

it('leaves out a kind and a code that do not look like those of an error', () => {
  const report = toCrashReport({ kind: 'My name is Ada', code: 'call 0123 456', stack: 'at nonsense' }, ORIGIN);
  expect(report).toMatchObject({ kind: 'Error', code: null, frames: [] });
  expect(toCrashReport({ kind: 'Error', code: 'ENOSPC' }, ORIGIN).code).toBe('ENOSPC');
});

it('limits the size of a report, whatever the stack', () => {
  const stack = Array.from({ length: 500 }, (_, index) => `    at ${'f'.repeat(400)} (/a/b.ts:${index}:1)`).join('\n');
  const report = toCrashReport({ kind: 'RangeError', stack }, { ...ORIGIN, release: 'x'.repeat(500), version: ' ' });
  expect(CrashReport.parse(report).frames).toHaveLength(30);
  expect(JSON.stringify(report).length).toBeLessThan(4_000);
});

it('refuses a report that carries more than it may', () => {
  const report = toCrashReport({ kind: 'Error', stack: STACKS.posix }, ORIGIN);
  for (const wrong of [
    { ...report, message: 'I am sorry' },
    { ...report, frames: ['push (/srv/ada/sync-loop.ts:120:7)'] },
    { ...report, frames: ['what Ada said (a.ts:1:1)'] },
    { ...report, system: '/srv/ada' },
  ])
    expect(CrashReport.safeParse(wrong).success).toBe(false);
});
