import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makeTinyPack, secondsOf } from '@parley/test-kit';
import { parseManifest } from './manifest.ts';
import { readManifest } from './pack-folder.ts';
import { createTranscriber, type Transcriber } from './transcriber.ts';

const transcribers: Transcriber[] = [];
afterEach(async () => {
  await Promise.all(transcribers.splice(0).map((transcriber) => transcriber.release()));
});

async function open(): Promise<{
  folder: string;
  transcribe: (pcm: Float32Array) => ReturnType<Transcriber['transcribe']>;
}> {
  const folder = await makeTinyPack();
  const transcriber = createTranscriber();
  transcribers.push(transcriber);
  return {
    folder,
    transcribe: (pcm) => transcriber.transcribe(pcm, { folder, signal: new AbortController().signal }),
  };
}

describe('a speech pack', () => {
  it('transcribes speech, without a network', async () => {
    const { transcribe } = await open();
    expect(await transcribe(secondsOf(0.1, 0.01, 0.1))).toMatchObject({
      type: 'transcript',
      transcript: { text: 'yes no yes', words: [{ word: 'yes' }, { word: 'no' }, { word: 'yes' }] },
    });
    expect(await transcribe(secondsOf(0.01))).toMatchObject({ transcript: { text: 'no' } });
  });

  it('returns the confidence of a word, and its alternatives', async () => {
    const { transcribe } = await open();
    const response = await transcribe(secondsOf(0.3, 0.06));
    if (response.type !== 'transcript') throw new Error(response.message);
    const [clear, unclear] = response.transcript.words;
    expect(clear).toMatchObject({ word: 'yes', alternatives: ['maybe'] });
    expect(clear?.confidence).toBeGreaterThan(0.8);
    expect(unclear?.alternatives).toContain('maybe');
    expect(unclear?.confidence).toBeLessThan(0.6);
    // The probabilities for this second result from the logits in the model's recipe: 2, 1.6, 1 and 0.5.
    const logits = [2, 1.6, 1, 0.5, -1.2];
    const total = logits.reduce((sum, logit) => sum + Math.exp(logit), 0);
    expect(unclear?.confidence).toBeCloseTo(Math.exp(2) / total, 2);
  });

  it('transcribes speech that is longer than a model can take at once', { tags: ['slow'] }, async () => {
    const { transcribe } = await open();
    const loudness = Array.from({ length: 65 }, (_, second) => (second % 10 === 9 ? 0.01 : 0.1));
    const response = await transcribe(secondsOf(...loudness));
    if (response.type !== 'transcript') throw new Error(response.message);
    expect(response.transcript.words.length).toBeGreaterThan(55);
    expect(response.transcript.words.filter(({ word }) => word === 'yes').length).toBeGreaterThan(50);
  });

  it('stops at once when it is cancelled, and works again afterwards', async () => {
    const folder = await makeTinyPack();
    const transcriber = createTranscriber();
    transcribers.push(transcriber);
    const cancel = new AbortController();
    const cancelled = transcriber.transcribe(secondsOf(0.1), { folder, signal: cancel.signal });
    cancel.abort();
    await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' });
    const { signal } = new AbortController();
    expect(await transcriber.transcribe(secondsOf(0.1), { folder, signal })).toMatchObject({
      transcript: { text: 'yes' },
    });
  });

  it('ends an utterance when it is released, and works again afterwards', { tags: ['slow'] }, async () => {
    const folder = await makeTinyPack();
    const transcriber = createTranscriber();
    transcribers.push(transcriber);
    const { signal } = new AbortController();
    await transcriber.transcribe(secondsOf(0.1), { folder, signal });
    const ended = transcriber.transcribe(secondsOf(...Array.from({ length: 60 }, () => 0.1)), { folder, signal });
    await Promise.resolve();
    const released = transcriber.release();
    await expect(ended).rejects.toMatchObject({ name: 'AbortError' });
    await released;
    expect(await transcriber.transcribe(secondsOf(0.01), { folder, signal })).toMatchObject({
      transcript: { text: 'no' },
    });
  });

  it.each([
    ['is missing', (path: string) => rmSync(path)],
    ['is too long', (path: string) => appendFileSync(path, 'x')],
    ['was changed', (path: string) => writeFileSync(path, Buffer.alloc(425))],
  ])('reports a file that %s', async (_what, damage) => {
    const { folder, transcribe } = await open();
    damage(join(folder, 'onnx', 'encoder_model.onnx'));
    expect(await transcribe(secondsOf(0.1))).toMatchObject({
      type: 'damaged',
      message: expect.stringContaining('encoder_model.onnx') as string,
    });
  });

  it('reports a model that does not transcribe', async () => {
    const { folder, transcribe } = await open();
    const manifest = await readManifest(folder);
    writeFileSync(
      join(folder, 'speech-pack.json'),
      JSON.stringify({ ...manifest, files: manifest?.files.filter(({ path }) => !path.includes('decoder')) }),
    );
    expect(await transcribe(secondsOf(0.1))).toMatchObject({ type: 'failed' });
  });
});

describe('the manifest of a speech pack', () => {
  const base = {
    format: 1,
    name: 'Tiny',
    licence: 'MIT',
    source: null,
    precision: 'q8',
    files: ['config.json', 'preprocessor_config.json', 'tokenizer.json', 'onnx/encoder_model.onnx'].map((path) => ({
      path,
      bytes: 10,
      sha256: 'a'.repeat(64),
    })),
  };
  const withFile = (path: string, bytes = 1): unknown => ({
    ...base,
    files: [...base.files, { path, bytes, sha256: 'b'.repeat(64) }],
  });

  it('is accepted with the files of a model', () => {
    expect(parseManifest(JSON.stringify(base))).toEqual(base);
  });

  it.each([
    ['no JSON', 'x'],
    ['a newer format', JSON.stringify({ ...base, format: 2 })],
    ['no licence', JSON.stringify({ ...base, licence: ' ' })],
    ['a source that is no web address', JSON.stringify({ ...base, source: 'file:///etc/passwd' })],
    ['a path out of its folder', JSON.stringify(withFile('../evil.json'))],
    ['an absolute path', JSON.stringify(withFile('/evil.json'))],
    ['a Windows path', JSON.stringify(withFile('onnx\\evil.json'))],
    ['a hidden file', JSON.stringify(withFile('.npmrc'))],
    ['the same file twice', JSON.stringify(withFile('CONFIG.json'))],
    ['more than a gigabyte', JSON.stringify(withFile('onnx/a.onnx', 2 ** 30))],
    ['itself among its files', JSON.stringify(withFile('speech-pack.json'))],
    ['no weights', JSON.stringify({ ...base, files: base.files.slice(0, 3) })],
    ['no tokenizer', JSON.stringify({ ...base, files: base.files.filter(({ path }) => path !== 'tokenizer.json') })],
  ])('is refused with %s', (_what, text) => {
    expect(parseManifest(text)).toBeNull();
  });
});
