import { describe, expect, it } from 'vitest';
import { aVoice, silence } from './test-kit/a-voice.ts';
import { azureScene } from './test-kit/scene.ts';

const SAID = 'My sister lives by the sea';
const aSignal = (): AbortSignal => new AbortController().signal;

describe('writing down what was said', () => {
  it('takes all phrases of it, and asks for no scores', async () => {
    const { transcriber, calls } = await azureScene({ script: [{ said: SAID, segments: [{}, {}] }] });
    const pcm = await aVoice(SAID);
    expect(await transcriber.transcribe({ pcm, signal: aSignal() })).toBe('My sister lives. By the sea.');
    expect(calls).toMatchObject([{ mode: 'conversation', assessment: null, audioBytes: pcm.length }]);
  });

  it.each(['silence', 'no_match'] as const)('is empty after %s', async (hears) => {
    const { transcriber } = await azureScene({ script: [{ hears }] });
    expect(await transcriber.transcribe({ pcm: silence(500), signal: aSignal() })).toBe('');
  });

  it('is empty for no sound at all', async () => {
    const { transcriber } = await azureScene();
    expect(await transcriber.transcribe({ pcm: new Uint8Array(0), signal: aSignal() })).toBe('');
  });

  it('tries a failure that passes again, and tells one that stays', async () => {
    const { transcriber, calls } = await azureScene({ script: [{ refuse: 429 }, {}, { refuse: 401 }] });
    const pcm = await aVoice(SAID);
    expect(await transcriber.transcribe({ pcm, signal: aSignal() })).not.toBe('');
    await expect(transcriber.transcribe({ pcm, signal: aSignal() })).rejects.toMatchObject({ reason: 'key_refused' });
    expect(calls).toHaveLength(3);
  });

  it('stops when nobody wants it any more', async () => {
    const { transcriber, calls } = await azureScene({ script: [{ answerAfterMs: 60_000 }] });
    const asked = transcriber.transcribe({ pcm: await aVoice(SAID), signal: AbortSignal.timeout(200) });
    await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(calls).toHaveLength(1);
  });
});
