import { chmodSync, chownSync, mkdirSync, mkdtempSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { ensureServerTemplate } from '../../../test-kit/server-folder.ts';
import { readConfig } from '../../compose/config/read-config.ts';
import { runDoctor } from './doctor.ts';

vi.setConfig({ testTimeout: 120_000 });
afterEach(() => vi.useRealTimers());

const root = mkdtempSync(join(tmpdir(), 'parley-doctor-'));
const dir = join(root, 'server');

async function report(environment: Record<string, string> = {}): Promise<string> {
  const lines: string[] = [];
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: dir, ADMIN_EMAILS: 'boss@school.example', ...environment });
  await runDoctor(config, { print: (line) => lines.push(line) }).catch((error: Error) => lines.push(error.message));
  return lines.join('\n');
}

it(
  'notices a clock that shows a time before this version, which an embedded database shares',
  { tags: ['slow'] },
  async () => {
    await cp(await ensureServerTemplate(), dir, { recursive: true });
    expect(await report()).toMatch(/^ok {4}clock: agrees[^]*^All checks passed\./m);
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2020-01-01T10:00:00Z') });
    expect(await report()).toMatch(
      /^FAIL {2}clock: it is 2020-01-01T10:00:00\.000Z here, before[^]*^1 check failed\.$/m,
    );
  },
);

it.skipIf(process.getuid?.() !== 0)('says to root which folder the owner of the data folder may not use', async () => {
  const [data, videos] = [join(root, 'data'), join(root, 'videos')];
  for (const folder of [data, videos]) mkdirSync(folder, { mode: 0o755 });
  for (const folder of [tmpdir(), root, videos]) chmodSync(folder, 0o755);
  chownSync(data, 65_534, 65_534);
  expect(await report({ DATA_DIR: data, MEDIA_DIR: videos })).toContain(
    `FAIL  media folder: ${videos} is not writable: change its owner or MEDIA_DIR.`,
  );
});
