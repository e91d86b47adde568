import { describe, expect, it } from 'vitest';
import { unspokenText, speakUtterance } from './speak-utterance.ts';

const UTTERANCE = 'Two weeks? That is hard for us. What happened, and what can you do about it?';
const SEGMENTS = ['Two weeks?', 'That is hard for us.', 'What happened, and what can you do about it?'];
/** One second of audio. */
const ONE_SECOND = new Int16Array(24_000);

interface SynthesisRequest {
  text: string;
  signal: AbortSignal;
  play: (pcm?: Int16Array) => void;
  end: () => void;
  fail: () => void;
}

/** Sets up a controllable coach's voice, a loudspeaker and a local voice. */
function createFixture({ rate = 1 }: { rate?: number } = {}) {
  const abortController = new AbortController();
  const requests: SynthesisRequest[] = [];
  const events: string[] = [];
  let sampleCount = 0;
  let resolvePlayed: () => void = () => undefined;
  const fixture = {
    asked: requests,
    heard: events,
    leaving: abortController,
    samples: () => sampleCount,
    /** Reports that the loudspeaker has played everything it received. */
    finishPlayback: () => resolvePlayed(),
    utterance: speakUtterance({
      rate,
      signal: abortController.signal,
      openPlayback: async () => ({
        add: (pcm) => {
          sampleCount += pcm.length;
        },
        whenPlayed: () =>
          new Promise((resolve) => {
            resolvePlayed = () => {
              events.push('(played out)');
              resolve();
            };
          }),
      }),
      voices: {
        synthesise: (text, signal) => {
          const { readable, writable } = new TransformStream<Int16Array, Int16Array>();
          const writer = writable.getWriter();
          const quietly = (done: Promise<void>): void => void done.catch(() => undefined);
          requests.push({
            text,
            signal,
            play: (pcm = ONE_SECOND) => quietly(writer.write(pcm)),
            end: () => quietly(writer.close()),
            fail: () => quietly(writer.abort(new Error('cut'))),
          });
          return readable;
        },
        speakLocally: async (text) => void events.push(text),
      },
    }),
  };
  return fixture;
}

const requestedTexts = (stage: ReturnType<typeof createFixture>) => stage.asked.map(({ text }) => text);
const settle = () => new Promise((resolve) => setTimeout(resolve, 10));

describe('a spoken utterance', () => {
  it('is spoken while it streams, with the next segment prefetched', async () => {
    const stage = createFixture();
    stage.utterance.update('Two');
    expect(requestedTexts(stage)).toEqual([]);
    stage.utterance.update('Two weeks?');
    expect(requestedTexts(stage)).toEqual(SEGMENTS.slice(0, 1));
    stage.utterance.update('Two weeks? That is hard for us. What happened,');
    const done = stage.utterance.complete(UTTERANCE);
    expect(requestedTexts(stage)).toEqual(SEGMENTS.slice(0, 2));
    // The second segment arrives before the first has been played, and waits.
    stage.asked[1]?.play();
    stage.asked[0]?.play();
    await expect.poll(stage.samples).toBe(24_000);
    stage.asked[0]?.end();
    await expect.poll(stage.samples).toBe(48_000);
    expect(requestedTexts(stage)).toEqual(SEGMENTS);
    stage.asked[1]?.end();
    stage.asked[2]?.end();
    await settle();
    stage.finishPlayback();
    await done;
    expect(stage.heard).toEqual(['(played out)']);
  });

  it('is synthesised segment by segment when it is complete', async () => {
    const stage = createFixture();
    const done = stage.utterance.complete(UTTERANCE);
    stage.utterance.update(`${UTTERANCE} And more.`);
    for (let index = 0; index < SEGMENTS.length; index += 1) {
      await expect.poll(() => stage.asked.length).toBeGreaterThan(index);
      stage.asked[index]?.end();
    }
    await settle();
    stage.finishPlayback();
    await done;
    expect(requestedTexts(stage)).toEqual(SEGMENTS);
  });

  it('falls back to the local voice when the coach has none', async () => {
    const stage = createFixture();
    stage.utterance.update('Two weeks? That is hard for us.');
    stage.asked[0]?.fail();
    await settle();
    stage.finishPlayback();
    await expect.poll(() => stage.heard).toEqual(['(played out)', ...SEGMENTS.slice(0, 2)]);
    await stage.utterance.complete(UTTERANCE);
    expect(stage.heard.slice(1)).toEqual(SEGMENTS);
    // A voice that failed is not asked again.
    expect(requestedTexts(stage)).toEqual(SEGMENTS.slice(0, 2));
    expect(stage.asked[1]?.signal.aborted).toBe(true);
  });

  it('continues in the local voice after a failure without repeating a word', async () => {
    const stage = createFixture();
    const done = stage.utterance.complete(UTTERANCE);
    stage.asked[0]?.play();
    stage.asked[0]?.end();
    await expect.poll(stage.samples).toBe(24_000);
    stage.asked[1]?.play(new Int16Array(12_000));
    await expect.poll(stage.samples).toBe(36_000);
    stage.asked[1]?.fail();
    await settle();
    expect(stage.heard).toEqual([]);
    stage.finishPlayback();
    await done;
    expect(stage.heard).toEqual(['(played out)', 'for us.', SEGMENTS[2]]);
  });

  it('stops at once, aborts its requests and says nothing later', async () => {
    const stage = createFixture();
    stage.utterance.update('Two weeks? That is');
    stage.asked[0]?.play();
    await expect.poll(stage.samples).toBe(24_000);
    stage.leaving.abort();
    expect(stage.asked[0]?.signal.aborted).toBe(true);
    stage.asked[0]?.fail();
    await stage.utterance.complete(UTTERANCE);
    expect(requestedTexts(stage)).toEqual(SEGMENTS.slice(0, 1));
    expect(stage.heard).toEqual([]);
  });

  it('ends at once when it contains nothing to speak', async () => {
    const stage = createFixture();
    const done = stage.utterance.complete('…');
    await settle();
    stage.finishPlayback();
    await done;
    expect(stage.asked).toEqual([]);
  });

  it('takes longer at a slower rate', async () => {
    const stage = createFixture({ rate: 0.5 });
    void stage.utterance.complete('Two weeks?');
    stage.asked[0]?.play();
    stage.asked[0]?.end();
    await expect.poll(stage.samples).toBeGreaterThan(47_000);
    expect(stage.samples()).toBeLessThan(49_000);
  });
});

describe('the unspoken text after a failure', () => {
  it('is everything if nothing was played, and never repeats a word', () => {
    expect(unspokenText('That is hard for us.', 0)).toBe('That is hard for us.');
    expect(unspokenText('That is hard for us.', 1)).toBe('is hard for us.');
    expect(unspokenText('That is hard for us.', 500)).toBe('for us.');
    expect(unspokenText('That is hard for us.', 9_000)).toBe('');
  });
});
