import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { encodeWav } from '../wav/encode-wav.ts';

const folder = join(tmpdir(), `parley-score-${randomUUID()}`);
// Without these tests nothing deletes the folder, so nothing may create it.
beforeAll(() => {
  mkdirSync(folder, { mode: 0o700 });
});
const run = (...args: string[]): Promise<{ code: number; lines: Record<string, unknown>[]; err: string }> =>
  new Promise((resolve) => {
    const file = fileURLToPath(new URL('./main.ts', import.meta.url));
    execFile(process.execPath, [file, ...args], (error, out, err) =>
      resolve({
        code: typeof error?.code === 'number' ? error.code : 0,
        lines: out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>])),
        err,
      }),
    );
  });
const save = (name: string, bytes: Uint8Array | string): string => {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
};

it('scores a manifest in order, reports unreadable lines and continues', { tags: ['slow'] }, async () => {
  save('silence.wav', encodeWav(new Float32Array(16_000)));
  save('cut.wav', encodeWav(new Float32Array(16_000)).subarray(0, 20));
  save('half.wav', encodeWav(new Float32Array(16_000)).subarray(0, 16_000));
  save('long.wav', encodeWav(new Float32Array(181 * 16_000)));
  save('empty.wav', '');
  const manifest = save(
    'list.jsonl',
    [
      // Some editors begin a text with a byte order mark.
      '\uFEFF{"id":"half","audio":"half.wav","text":"hello"}',
      '{"id":"long","audio":"long.wav","text":"hello"}',
      '{"id":"a","audio":"silence.wav","text":"hello there"}',
      '{"id":"b","audio":"cut.wav","text":"hello"}',
      '{"id":"c","audio":"empty.wav","text":"hello"}',
      '{"id":"d","audio":"missing.wav","text":"hello"}',
      'not json',
      '{"id":"f","audio":"silence.wav","text":""}',
    ].join('\n'),
  );
  const { code, lines } = await run('--manifest', manifest);
  expect(code).toBe(1);
  expect(lines).toMatchObject([
    { id: 'half', error: { code: 'audio.truncated' } },
    { id: 'long', error: { code: 'audio.too_long' } },
    { id: 'a', source: 'device', pron: null, unusable: { reason: 'silent' } },
    { id: 'b', error: { code: 'audio.truncated' } },
    { id: 'c', error: { code: 'audio.empty' } },
    { id: 'd', error: { code: 'audio.unreadable' } },
    { id: 'line-7', error: { code: 'manifest.invalid' } },
    { id: 'f', unusable: { reason: 'silent' } },
  ]);
});

it('drafts a transcript when no text is given', { tags: ['slow'] }, async () => {
  const wav = save('draft.wav', encodeWav(new Float32Array(16_000)));
  const context = save('context.txt', 'We will deliver on Tuesday.\n\nIt is late.\n');
  const draft = { durationMs: 1_000, words: [], unusable: { reason: 'silent' } };
  expect(await run('--transcribe', '--context', context, wav)).toMatchObject({
    code: 0,
    lines: [{ id: 'draft', ...draft }],
  });
  const manifest = save('drafts.jsonl', '{"id":"a","audio":"draft.wav"}\n{"id":"b"}');
  const { code, lines } = await run('--transcribe', '--manifest', manifest);
  expect(code).toBe(1);
  expect(lines).toMatchObject([
    { id: 'a', ...draft },
    { id: 'line-2', error: { code: 'manifest.invalid' } },
  ]);
  expect(await run('--transcribe', '--context', join(folder, 'missing.txt'), wav)).toMatchObject({ code: 2 });
});

it('prints its usage on invalid arguments and exits with 2', { tags: ['slow'] }, async () => {
  for (const args of [
    [],
    ['--text', 'hello'],
    ['--transcribe'],
    ['--nonsense'],
    ['--text', 'a', 'x.wav', '--threads', '0'],
  ]) {
    const { code, lines, err } = await run(...args);
    expect({ code, lines }).toEqual({ code: 2, lines: [] });
    expect(err).toContain('Usage');
  }
});
