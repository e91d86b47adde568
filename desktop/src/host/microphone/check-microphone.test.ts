import { describe, expect, it } from 'vitest';
import { openHost, silentPcm, voiceLikePcm } from '../test-kit/open-host.ts';

const louder = (pcm: Uint8Array, factor: number): Uint8Array => {
  const samples = new Int16Array(pcm.buffer.slice(0)).map((sample) =>
    Math.max(-32_768, Math.min(32_767, Math.round(sample * factor))),
  );
  return new Uint8Array(samples.buffer);
};

const HUM_HZ = 50;
const amidHum = (pcm: Uint8Array, level: number): Uint8Array => {
  const samples = new Int16Array(pcm.buffer.slice(0)).map((sample, at) =>
    Math.round(sample + level * Math.sin((2 * Math.PI * HUM_HZ * at) / 16_000)),
  );
  return new Uint8Array(samples.buffer);
};

describe('a microphone check', () => {
  it('distinguishes good, silent, quiet and clipped audio', async () => {
    const { host, ask } = await openHost();
    const check = (pcm: Uint8Array) => ask.microphone.check({ pcm: new Blob([new Uint8Array(pcm)]) });
    const said = voiceLikePcm(3_000);
    expect(await check(said)).toMatchObject({ verdict: 'good' });
    expect(await check(silentPcm(3_000))).toMatchObject({ verdict: 'silent' });
    expect(await check(louder(said, 0.02))).toMatchObject({ verdict: 'too_quiet' });
    expect(await check(louder(said, 20))).toMatchObject({ verdict: 'clipped' });
    await expect(check(new Uint8Array(3))).rejects.toMatchObject({ code: 'audio.invalid' });
    await host.close();
  });

  it('accepts a voice amid the hum of the mains, which is scored, but not hum alone', async () => {
    const { host, ask } = await openHost();
    const check = (pcm: Uint8Array) => ask.microphone.check({ pcm: new Blob([new Uint8Array(pcm)]) });
    expect(await check(amidHum(voiceLikePcm(3_000), 6_000))).toMatchObject({ verdict: 'good' });
    expect(await check(amidHum(new Uint8Array(2 * 48_000), 6_000))).toMatchObject({ verdict: 'noisy' });
    await host.close();
  });

  it('does not take hum that begins late for a voice', async () => {
    const { host, ask } = await openHost();
    const hum = new Int16Array(amidHum(new Uint8Array(2 * 48_000), 6_000).buffer).map((sample, at) =>
      at < 24_000 ? at % 7 : sample,
    );
    expect(await ask.microphone.check({ pcm: new Blob([hum]) })).toMatchObject({ verdict: 'noisy' });
    await host.close();
  });
});
