import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { MODEL_DIR } from '../score/model-dir.ts';
import { createWorkerScorer } from './index.ts';

const dir = mkdtempSync(join(tmpdir(), 'parley-scorer-'));
const pcm = new Float32Array(16_000);

it('a model that was missing is loaded once it is there', { tags: ['slow'] }, async () => {
  const modelDir = join(dir, 'model');
  const scorer = createWorkerScorer({ modelDir });
  await expect(scorer.assess({ pcm, text: 'hello' })).rejects.toThrow(/ENOENT|no such file/);
  symlinkSync(MODEL_DIR, modelDir);
  await expect(scorer.assess({ pcm, text: 'hello' })).resolves.toMatchObject({ unusable: { reason: 'silent' } });
  await scorer.close();
});

it('a call after the end of a failed thread is answered', async () => {
  const file = join(dir, 'failing-worker.mjs');
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ id, call }) => {
      if (call.text === 'fails') throw new Error('out of memory');
      setTimeout(() => parentPort.postMessage({ id, value: call.text }), 300);
    });`,
  );
  const scorer = createWorkerScorer({ workerFile: pathToFileURL(file) });
  await expect(scorer.assess({ pcm, text: 'fails' })).rejects.toThrow('out of memory');
  expect(await scorer.assess({ pcm, text: 'works' })).toBe('works');
  await scorer.close();
});
