import { describe, expect, it } from 'vitest';
import { synthesiseSpeech, silence } from '../test-kit/speech-audio.ts';
import { startAzureFixture } from '../test-kit/azure-fixture.ts';

const SAID = 'My sister lives by the sea';
const aSignal = (): AbortSignal => new AbortController().signal;

describe('transcription', () => {
  it('joins all phrases and requests no scores', async () => {
    const { transcriber, calls } = await startAzureFixture({ script: [{ said: SAID, segments: [{}, {}] }] });
    const pcm = await synthesiseSpeech(SAID);
    expect(await transcriber.transcribe({ pcm, signal: aSignal() })).toBe('My sister lives. By the sea.');
    expect(calls).toMatchObject([{ mode: 'conversation', assessment: null, audioBytes: pcm.length }]);
  });

  it.each(['silence', 'no_match'] as const)('is empty after %s', async (hears) => {
    const { transcriber } = await startAzureFixture({ script: [{ hears }] });
    expect(await transcriber.transcribe({ pcm: silence(500), signal: aSignal() })).toBe('');
  });

  it('is empty without audio', async () => {
    const { transcriber } = await startAzureFixture();
    expect(await transcriber.transcribe({ pcm: new Uint8Array(0), signal: aSignal() })).toBe('');
  });

  it('retries a transient failure and reports a permanent one', async () => {
    const { transcriber, calls } = await startAzureFixture({ script: [{ refuse: 429 }, {}, { refuse: 401 }] });
    const pcm = await synthesiseSpeech(SAID);
    expect(await transcriber.transcribe({ pcm, signal: aSignal() })).not.toBe('');
    await expect(transcriber.transcribe({ pcm, signal: aSignal() })).rejects.toMatchObject({ reason: 'key_refused' });
    expect(calls).toHaveLength(3);
  });

  it('stops when its signal is aborted', async () => {
    const { transcriber, calls } = await startAzureFixture({ script: [{ answerAfterMs: 60_000 }] });
    const transcription = transcriber.transcribe({
      pcm: await synthesiseSpeech(SAID),
      signal: AbortSignal.timeout(200),
    });
    await expect(transcription).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(calls).toHaveLength(1);
  });
});
