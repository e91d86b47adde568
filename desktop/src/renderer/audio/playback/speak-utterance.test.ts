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

const requestedTexts = (fixture: ReturnType<typeof createFixture>) => fixture.asked.map(({ text }) => text);
const settle = () => new Promise((resolve) => setTimeout(resolve, 10));

describe('a spoken utterance', () => {
  it('is spoken while it streams, with the next segment prefetched', async () => {
    const fixture = createFixture();
    fixture.utterance.update('Two');
    expect(requestedTexts(fixture)).toEqual([]);
    fixture.utterance.update('Two weeks?');
    expect(requestedTexts(fixture)).toEqual(SEGMENTS.slice(0, 1));
    fixture.utterance.update('Two weeks? That is hard for us. What happened,');
    const done = fixture.utterance.complete(UTTERANCE);
    expect(requestedTexts(fixture)).toEqual(SEGMENTS.slice(0, 2));
    // The second segment arrives before the first has been played, and waits.
    fixture.asked[1]?.play();
    fixture.asked[0]?.play();
    await expect.poll(fixture.samples).toBe(24_000);
    fixture.asked[0]?.end();
    await expect.poll(fixture.samples).toBe(48_000);
    expect(requestedTexts(fixture)).toEqual(SEGMENTS);
    fixture.asked[1]?.end();
    fixture.asked[2]?.end();
    await settle();
    fixture.finishPlayback();
    await done;
    expect(fixture.heard).toEqual(['(played out)']);
  });

  it('is synthesised segment by segment when it is complete', async () => {
    const fixture = createFixture();
    const done = fixture.utterance.complete(UTTERANCE);
    fixture.utterance.update(`${UTTERANCE} And more.`);
    for (let index = 0; index < SEGMENTS.length; index += 1) {
      await expect.poll(() => fixture.asked.length).toBeGreaterThan(index);
      fixture.asked[index]?.end();
    }
    await settle();
    fixture.finishPlayback();
    await done;
    expect(requestedTexts(fixture)).toEqual(SEGMENTS);
  });

  it('falls back to the local voice when the coach has none', async () => {
    const fixture = createFixture();
    fixture.utterance.update('Two weeks? That is hard for us.');
    fixture.asked[0]?.fail();
    await settle();
    fixture.finishPlayback();
    await expect.poll(() => fixture.heard).toEqual(['(played out)', ...SEGMENTS.slice(0, 2)]);
    await fixture.utterance.complete(UTTERANCE);
    expect(fixture.heard.slice(1)).toEqual(SEGMENTS);
    // A voice that has failed is not tried again.
    expect(requestedTexts(fixture)).toEqual(SEGMENTS.slice(0, 2));
    expect(fixture.asked[1]?.signal.aborted).toBe(true);
  });

  it('continues in the local voice after a failure without repeating a word', async () => {
    const fixture = createFixture();
    const done = fixture.utterance.complete(UTTERANCE);
    fixture.asked[0]?.play();
    fixture.asked[0]?.end();
    await expect.poll(fixture.samples).toBe(24_000);
    fixture.asked[1]?.play(new Int16Array(12_000));
    await expect.poll(fixture.samples).toBe(36_000);
    fixture.asked[1]?.fail();
    await settle();
    expect(fixture.heard).toEqual([]);
    fixture.finishPlayback();
    await done;
    expect(fixture.heard).toEqual(['(played out)', 'for us.', SEGMENTS[2]]);
  });

  it('stops at once, aborts its requests and says nothing later', async () => {
    const fixture = createFixture();
    fixture.utterance.update('Two weeks? That is');
    fixture.asked[0]?.play();
    await expect.poll(fixture.samples).toBe(24_000);
    fixture.leaving.abort();
    expect(fixture.asked[0]?.signal.aborted).toBe(true);
    fixture.asked[0]?.fail();
    await fixture.utterance.complete(UTTERANCE);
    expect(requestedTexts(fixture)).toEqual(SEGMENTS.slice(0, 1));
    expect(fixture.heard).toEqual([]);
  });

  it('ends at once when it contains nothing to speak', async () => {
    const fixture = createFixture();
    const done = fixture.utterance.complete('…');
    await settle();
    fixture.finishPlayback();
    await done;
    expect(fixture.asked).toEqual([]);
  });

  it('takes longer at a slower rate', async () => {
    const fixture = createFixture({ rate: 0.5 });
    void fixture.utterance.complete('Two weeks?');
    fixture.asked[0]?.play();
    fixture.asked[0]?.end();
    await expect.poll(fixture.samples).toBeGreaterThan(47_000);
    expect(fixture.samples()).toBeLessThan(49_000);
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
