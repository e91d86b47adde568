import type { CoachVoice } from '@parley/domain';
import { describe, expect, it, vi } from 'vitest';
import { toSsml } from './ssml.ts';
import { startAzureFixture, KEY } from '../test-kit/azure-fixture.ts';
import { neuralVoice } from './voices.ts';

const VOICE: CoachVoice = { gender: 'female', locale: 'en-GB', rate: 1, pitch: 1 };
const TEXT = 'Good morning! How are you today?';

const hear = async (
  synthesiser: Awaited<ReturnType<typeof startAzureFixture>>['synthesiser'],
  { text = TEXT, voice = VOICE, signal = new AbortController().signal } = {},
): Promise<Uint8Array[]> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of synthesiser.speak({ text, voice, signal })) pieces.push(piece);
  return pieces;
};

const bytesOf = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, { length }) => sum + length, 0);

describe('an utterance', () => {
  it('arrives in chunks of raw 24 kHz PCM in the requested voice', async () => {
    const { synthesiser, calls } = await startAzureFixture();
    const pieces = await hear(synthesiser);
    expect(pieces.length).toBeGreaterThan(5);
    expect(bytesOf(pieces)).toBe(calls[0]?.spokenBytes);
    expect(calls).toMatchObject([{ path: '/tts/cognitiveservices/websocket/v1', key: KEY, ssml: toSsml(TEXT, VOICE) }]);
    expect(calls[0]?.context).toMatchObject({ synthesis: { audio: { outputFormat: 'raw-24khz-16bit-mono-pcm' } } });
    await vi.waitFor(() => expect(calls[0]?.state).toBe('closed'));
  });

  it('starts before synthesis has finished', async () => {
    const { synthesiser, calls } = await startAzureFixture();
    const text = TEXT.repeat(40);
    const speech = synthesiser.speak({ text, voice: VOICE, signal: new AbortController().signal });
    const line = speech[Symbol.asyncIterator]();
    const first = await line.next();
    expect(first.value).toHaveLength(4_800);
    const spokenSoFar = calls[0]?.spokenBytes ?? Infinity;
    let heard = 4_800;
    for (let piece = await line.next(); piece.done !== true; piece = await line.next()) heard += piece.value.length;
    expect(spokenSoFar).toBeLessThan(heard);
  });

  it('without text has no audio', async () => {
    const { synthesiser } = await startAzureFixture({ script: [{ hears: 'silence' }] });
    expect(await hear(synthesiser)).toEqual([]);
  });

  it('closes the socket when the consumer stops', async () => {
    const { synthesiser, calls } = await startAzureFixture();
    const lines = synthesiser.speak({ text: TEXT.repeat(100), voice: VOICE, signal: new AbortController().signal });
    for await (const piece of lines) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    await vi.waitFor(() => expect(calls[0]?.state).toBe('closed'));
    expect(calls).toHaveLength(1);
  });

  it('stops when its signal is aborted', async () => {
    const { synthesiser, calls } = await startAzureFixture({ script: [{ answerAfterMs: 60_000 }] });
    await expect(hear(synthesiser, { signal: AbortSignal.timeout(150) })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    await vi.waitFor(() => expect(calls[0]?.state).toBe('closed'));
    expect(calls).toHaveLength(1);
  });
});

describe('a failing utterance', () => {
  it.each([
    [{ refuse: 401 }, 'key_refused', 1],
    [{ refuse: 403 }, 'key_refused', 1],
    [{ malformed: true }, 'malformed', 1],
    [{ refuse: 429 }, 'busy', 2],
    [{ refuse: 500 }, 'unreachable', 2],
    [{ openAfterMs: 60_000 }, 'unreachable', 2],
    [{ answerAfterMs: 60_000 }, 'unreachable', 2],
  ] as const)('reports %o as %s after %d calls', async (script, reason, times) => {
    const { synthesiser, calls } = await startAzureFixture(
      { script: [script, script] },
      { connectMs: 300, answerMs: 300 },
    );
    await expect(hear(synthesiser)).rejects.toMatchObject({ reason });
    expect(calls).toHaveLength(times);
  });

  it('is retried before its first audio', async () => {
    const { synthesiser, calls } = await startAzureFixture({ script: [{ refuse: 500 }] });
    expect(bytesOf(await hear(synthesiser))).toBe(calls[1]?.spokenBytes);
  });

  it.each([false, true])('is not repeated in the middle (closed cleanly: %s)', async (isCutPolite) => {
    const { synthesiser, calls } = await startAzureFixture({ script: [{ cutAfterBytes: 9_600, isCutPolite }] });
    await expect(hear(synthesiser)).rejects.toMatchObject({ reason: 'unreachable' });
    expect(calls).toHaveLength(1);
  });
});

describe('SSML', () => {
  it('escapes the text so that it cannot act as markup', () => {
    const ssml = toSsml('Tom & "Jerry" <break time="10s"/> aren\'t\u0000 here \ud800', VOICE);
    expect(ssml).toContain('>Tom &amp; &quot;Jerry&quot; &lt;break time=&quot;10s&quot;/&gt; aren&apos;t here \ufffd<');
  });

  it.each([
    [1, 1, 'rate="+0%" pitch="+0%"'],
    [0.85, 1.1, 'rate="-15%" pitch="+10%"'],
    [1.5, 0.5, 'rate="+50%" pitch="-50%"'],
  ])('converts a rate of %d and a pitch of %d', (rate, pitch, expected) => {
    expect(toSsml('Hello', { ...VOICE, rate, pitch })).toContain(expected);
  });

  it('uses the locale of the voice', () => {
    expect(toSsml('Hello', VOICE)).toMatch(/xml:lang="en-GB".*<voice name="en-GB-SoniaNeural">/);
  });
});

describe('choosing a voice', () => {
  it.each([
    ['female', 'en-US', 'en-US-JennyNeural'],
    ['male', 'en-GB', 'en-GB-RyanNeural'],
    ['female', 'en-IN', 'en-IN-NeerjaNeural'],
    ['male', 'en', 'en-US-GuyNeural'],
    ['female', 'en-XX', 'en-US-JennyNeural'],
  ] as const)('for a %s coach from %s', (gender, locale, voice) => {
    expect(neuralVoice({ gender, locale })).toBe(voice);
  });
});
