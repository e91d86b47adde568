import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('a process that used every adapter exits on its own', async () => {
  const script = fileURLToPath(new URL('test-kit/exercise-adapters.ts', import.meta.url));
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script], { timeout: 20_000 });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject({
    outcomes: [
      'Good morning to you all.',
      'I would like a cup of tea with a little milk please.',
      '3 pieces',
      'This operation was aborted',
      'key_refused',
      'unreachable',
      'Good morning to you all.',
    ],
    calls: 9,
  });
});
