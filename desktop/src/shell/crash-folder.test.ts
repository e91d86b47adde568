import { type CrashReport, MAX_KEPT_CRASHES } from '@parley/contract';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { recordCrash, openCrashFolder } from './crash-folder.ts';

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'parley-crashes-'));
});

const aReport = (minute: number): CrashReport => ({
  id: randomUUID(),
  at: new Date(Date.UTC(2026, 10, 24, 10, minute)).toISOString(),
  source: 'host',
  version: '0.3.0',
  system: 'linux 6.1.0 x64',
  kind: 'TypeError',
  code: null,
  frames: [],
});

it('keeps the newest crashes, the latest first, for their user alone', () => {
  const folder = openCrashFolder(dataDir);
  expect(folder.list()).toEqual([]);
  const reports = Array.from({ length: MAX_KEPT_CRASHES + 5 }, (_, minute) => aReport(minute));
  for (const report of reports) folder.add(report);
  expect(folder.list()).toEqual(reports.slice(5).toReversed());
  const [name = ''] = readdirSync(join(dataDir, 'crashes'));
  expect(statSync(join(dataDir, 'crashes', name)).mode & 0o077).toBe(0);
  folder.remove(reports.map(({ id }) => id));
  expect(folder.list()).toEqual([]);
});

it('leaves files that are not crash reports alone', () => {
  const folder = openCrashFolder(dataDir);
  mkdirSync(join(dataDir, 'crashes'));
  for (const [name, text] of [
    ['broken.json', '{'],
    ['other.json', JSON.stringify({ ...aReport(1), message: 'what Ada said' })],
    ['long.json', 'x'.repeat(100_000)],
  ] as const)
    writeFileSync(join(dataDir, 'crashes', name), text);
  folder.add(aReport(1));
  expect(folder.list()).toHaveLength(1);
  expect(readdirSync(join(dataDir, 'crashes'))).toHaveLength(4);
});

it('does not fail when a crash cannot be recorded', () => {
  writeFileSync(join(dataDir, 'crashes'), 'a file where the folder should be');
  recordCrash({ folder: openCrashFolder(dataDir), source: 'main', version: '0.3.0' }, { kind: 'Error' });
  expect(openCrashFolder(dataDir).list()).toEqual([]);
});

it('records an error that ends a process, and lets it end', async () => {
  const program = `
    import { recordUncaughtErrors, openCrashFolder } from ${JSON.stringify(new URL('crash-folder.ts', import.meta.url).href)};
    recordUncaughtErrors({ folder: openCrashFolder(${JSON.stringify(dataDir)}), source: 'host', version: '0.3.0' });
    async function answerAda() { throw Object.assign(new RangeError('what Ada said'), { code: 'ENOSPC' }); }
    answerAda();`;
  const file = join(dataDir, 'program.ts');
  writeFileSync(file, program);
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile(process.execPath, [file], (error, _stdout, text) => resolve({ code: error?.code, stderr: text }));
  });
  expect(code).toBe(1);
  expect(stderr).toContain('what Ada said');
  const [report] = openCrashFolder(dataDir).list();
  expect(report).toMatchObject({ source: 'host', kind: 'RangeError', code: 'ENOSPC' });
  expect(report?.frames[0]).toMatch(/^answerAda \(program\.ts:\d+:\d+\)$/);
  expect(JSON.stringify(report)).not.toContain('said');
});
