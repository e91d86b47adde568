import { describe, expect, it } from 'vitest';
import { restAfter, speakLine } from './line-speech.ts';

const LINE = 'Two weeks? That is hard for us. What happened, and what can you do about it?';
const PIECES = ['Two weeks?', 'That is hard for us.', 'What happened, and what can you do about it?'];
/** A second. */
const PIECE = new Int16Array(24_000);

interface Sounding {
  text: string;
  signal: AbortSignal;
  play: (pcm?: Int16Array) => void;
  end: () => void;
  breakOff: () => void;
}

/** A coach's voice that says what it is told to say when it is told to, a loudspeaker, and this computer's voice. */
function aStage({ rate = 1 }: { rate?: number } = {}) {
  const leaving = new AbortController();
  const asked: Sounding[] = [];
  const heard: string[] = [];
  let sampleCount = 0;
  let tellHeard: () => void = () => undefined;
  const stage = {
    asked,
    heard,
    leaving,
    samples: () => sampleCount,
    /** The loudspeaker has played all that it has. */
    playOut: () => tellHeard(),
    line: speakLine({
      rate,
      signal: leaving.signal,
      open: async () => ({
        add: (pcm) => {
          sampleCount += pcm.length;
        },
        whenHeard: () =>
          new Promise((resolve) => {
            tellHeard = () => {
              heard.push('(played out)');
              resolve();
            };
          }),
      }),
      voices: {
        fetch: (text, signal) => {
          const { readable, writable } = new TransformStream<Int16Array, Int16Array>();
          const writer = writable.getWriter();
          const quietly = (done: Promise<void>): void => void done.catch(() => undefined);
          asked.push({
            text,
            signal,
            play: (pcm = PIECE) => quietly(writer.write(pcm)),
            end: () => quietly(writer.close()),
            breakOff: () => quietly(writer.abort(new Error('cut'))),
          });
          return readable;
        },
        speakHere: async (text) => void heard.push(text),
      },
    }),
  };
  return stage;
}

const texts = (stage: ReturnType<typeof aStage>) => stage.asked.map(({ text }) => text);
const settled = () => new Promise((resolve) => setTimeout(resolve, 10));

describe('a coach’s line', () => {
  it('is spoken while it comes, the next piece fetched while one is heard', async () => {
    const stage = aStage();
    stage.line.grow('Two');
    expect(texts(stage)).toEqual([]);
    stage.line.grow('Two weeks?');
    expect(texts(stage)).toEqual(PIECES.slice(0, 1));
    stage.line.grow('Two weeks? That is hard for us. What happened,');
    const done = stage.line.finish(LINE);
    expect(texts(stage)).toEqual(PIECES.slice(0, 2));
    // The second has come before the first is over, and waits.
    stage.asked[1]?.play();
    stage.asked[0]?.play();
    await expect.poll(stage.samples).toBe(24_000);
    stage.asked[0]?.end();
    await expect.poll(stage.samples).toBe(48_000);
    expect(texts(stage)).toEqual(PIECES);
    stage.asked[1]?.end();
    stage.asked[2]?.end();
    await settled();
    stage.playOut();
    await done;
    expect(stage.heard).toEqual(['(played out)']);
  });

  it('that is whole is asked for a piece at a time as well, each once', async () => {
    const stage = aStage();
    const done = stage.line.finish(LINE);
    stage.line.grow(`${LINE} And more.`);
    for (let index = 0; index < PIECES.length; index += 1) {
      await expect.poll(() => stage.asked.length).toBeGreaterThan(index);
      stage.asked[index]?.end();
    }
    await settled();
    stage.playOut();
    await done;
    expect(texts(stage)).toEqual(PIECES);
  });

  it('is spoken by this computer where the coach has no voice, while it comes', async () => {
    const stage = aStage();
    stage.line.grow('Two weeks? That is hard for us.');
    stage.asked[0]?.breakOff();
    await settled();
    stage.playOut();
    await expect.poll(() => stage.heard).toEqual(['(played out)', ...PIECES.slice(0, 2)]);
    await stage.line.finish(LINE);
    expect(stage.heard.slice(1)).toEqual(PIECES);
    // Nobody asks a voice again that is not there.
    expect(texts(stage)).toEqual(PIECES.slice(0, 2));
    expect(stage.asked[1]?.signal.aborted).toBe(true);
  });

  it('is taken up by this computer where the voice breaks off, when that was heard, and no word twice', async () => {
    const stage = aStage();
    const done = stage.line.finish(LINE);
    stage.asked[0]?.play();
    stage.asked[0]?.end();
    await expect.poll(stage.samples).toBe(24_000);
    stage.asked[1]?.play(new Int16Array(12_000));
    await expect.poll(stage.samples).toBe(36_000);
    stage.asked[1]?.breakOff();
    await settled();
    expect(stage.heard).toEqual([]);
    stage.playOut();
    await done;
    expect(stage.heard).toEqual(['(played out)', 'for us.', PIECES[2]]);
  });

  it('stops at once, upstream too, and nothing of it is said later', async () => {
    const stage = aStage();
    stage.line.grow('Two weeks? That is');
    stage.asked[0]?.play();
    await expect.poll(stage.samples).toBe(24_000);
    stage.leaving.abort();
    expect(stage.asked[0]?.signal.aborted).toBe(true);
    stage.asked[0]?.breakOff();
    await stage.line.finish(LINE);
    expect(texts(stage)).toEqual(PIECES.slice(0, 1));
    expect(stage.heard).toEqual([]);
  });

  it('of which nothing can be said is over at once', async () => {
    const stage = aStage();
    const done = stage.line.finish('…');
    await settled();
    stage.playOut();
    await done;
    expect(stage.asked).toEqual([]);
  });

  it('takes longer where it is spoken slowly', async () => {
    const stage = aStage({ rate: 0.5 });
    void stage.line.finish('Two weeks?');
    stage.asked[0]?.play();
    stage.asked[0]?.end();
    await expect.poll(stage.samples).toBeGreaterThan(47_000);
    expect(stage.samples()).toBeLessThan(49_000);
  });
});

describe('what a voice left unsaid', () => {
  it('is all of it where nothing was heard, and rather too little than a word twice', () => {
    expect(restAfter('That is hard for us.', 0)).toBe('That is hard for us.');
    expect(restAfter('That is hard for us.', 1)).toBe('is hard for us.');
    expect(restAfter('That is hard for us.', 500)).toBe('for us.');
    expect(restAfter('That is hard for us.', 9_000)).toBe('');
  });
});
