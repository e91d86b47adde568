import { afterEach, describe, expect, it } from 'vitest';
import { openHost, removeDataFolders, silence, somethingSaid } from '../test-kit/open-host.ts';

afterEach(removeDataFolders);

const louder = (pcm: Uint8Array, factor: number): Uint8Array => {
  const samples = new Int16Array(pcm.buffer.slice(0)).map((sample) =>
    Math.max(-32_768, Math.min(32_767, Math.round(sample * factor))),
  );
  return new Uint8Array(samples.buffer);
};

describe('a microphone check', () => {
  it('tells a good one from a silent, a quiet and a clipped one, and says what to do', async () => {
    const { host, ask } = await openHost();
    const check = (pcm: Uint8Array) => ask.microphone.check({ pcm: new Blob([new Uint8Array(pcm)]) });
    const said = somethingSaid(3_000);
    expect(await check(said)).toMatchObject({ verdict: 'good', hint: expect.stringContaining('ready') });
    expect(await check(silence(3_000))).toMatchObject({ verdict: 'silent', levelDb: null });
    expect(await check(louder(said, 0.02))).toMatchObject({ verdict: 'too_quiet' });
    expect(await check(louder(said, 20))).toMatchObject({ verdict: 'clipped' });
    await expect(check(new Uint8Array(3))).rejects.toMatchObject({ code: 'audio.invalid' });
    await host.close();
  });
});
