/** What can go wrong between us and Azure, and what the server hears of it. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { SpeechFailure } from '../../speech/index.ts';
import { aVoice } from './test-kit/a-voice.ts';
import { azureScene, KEY, piecesOf } from './test-kit/scene.ts';
import type { TwinCallScript } from './twin/index.ts';

const TEXT = 'I would like a cup of tea, please.';

let voice: Uint8Array;
beforeAll(async () => {
  voice = await aVoice(TEXT);
});

const failureIn = async (answer: Promise<unknown>): Promise<SpeechFailure> => {
  const error: unknown = await answer.then(
    () => new Error('it went well'),
    (error: unknown) => error,
  );
  if (error instanceof SpeechFailure) return error;
  throw error;
};

/** Longer than any test waits, so that only the twin's silence counts. */
const NEVER_MS = 60_000;

const FINAL: [what: string, script: TwinCallScript, reason: SpeechFailure['reason']][] = [
  ['a refused key', { refuse: 401 }, 'key_refused'],
  ['a key without the right', { refuse: 403 }, 'key_refused'],
  ['a request that Azure does not understand', { refuse: 400 }, 'malformed'],
  ['an answer that is no JSON', { malformed: true }, 'malformed'],
  ['an answer without the scores', { hears: 'unscored' }, 'malformed'],
  ['a free subscription that is used up', { status: 'Forbidden' }, 'key_refused'],
  ['a phrase that says the request was bad', { status: 'BadRequest' }, 'malformed'],
];

const TRANSIENT: [what: string, script: TwinCallScript, reason: SpeechFailure['reason']][] = [
  ['too many requests', { refuse: 429 }, 'busy'],
  ['a server that is down for a while', { refuse: 503 }, 'busy'],
  ['a server that broke', { refuse: 500 }, 'unreachable'],
  ['too many transcriptions at a time', { status: 'TooManyRequests' }, 'busy'],
  ['a phrase that says the service broke', { status: 'Error' }, 'unreachable'],
  ['a connection that breaks off in the middle', { cutAfterBytes: 16_000 }, 'unreachable'],
  ['a socket that is closed in the middle', { cutAfterBytes: 16_000, isCutPolite: true }, 'unreachable'],
  ['a socket that is never opened', { openAfterMs: NEVER_MS }, 'unreachable'],
  ['an answer that never comes', { answerAfterMs: NEVER_MS }, 'unreachable'],
];

const IMPATIENT = { connectMs: 400, answerMs: 400 };

describe('a failure that stays', () => {
  it.each(FINAL)('%s is told at once', async (_, script, reason) => {
    const { say, calls } = await azureScene({ script: [script] });
    expect(await failureIn(say(voice, { referenceText: TEXT }))).toMatchObject({ reason });
    expect(calls).toHaveLength(1);
  });

  it('a key that the twin does not know, as one of another region is refused', async () => {
    const { assessor } = await azureScene({ key: 'another key' });
    const stream = assessor.open({ referenceText: TEXT, signal: new AbortController().signal });
    stream.write(voice);
    expect(await failureIn(stream.end())).toMatchObject({ reason: 'key_refused' });
  });

  it('says what was wrong, and never the key', async () => {
    const { say } = await azureScene({ script: [{ refuse: 401 }] });
    const { cause } = await failureIn(say(voice, { referenceText: TEXT }));
    expect(String(cause)).toContain('401');
    expect(String(cause)).not.toContain(KEY);
  });
});

describe('a failure that passes', () => {
  it.each(TRANSIENT)('%s is told when it happens twice', async (_, script, reason) => {
    const { say, calls } = await azureScene({ script: [script, script] }, IMPATIENT);
    expect(await failureIn(say(voice, { referenceText: TEXT }))).toMatchObject({ reason });
    expect(calls).toHaveLength(2);
  });

  it.each(TRANSIENT)('%s is made up for with the sound that was kept', async (_, script) => {
    const { say, calls } = await azureScene({ script: [script] }, IMPATIENT);
    const { assessment } = await say(voice, { referenceText: TEXT });
    expect(assessment.completeness).toBe(100);
    expect(calls).toHaveLength(2);
    expect(calls[1]?.audioBytes).toBe(voice.length);
  });

  it('is made up for while the learner still speaks', async () => {
    const { assessor, calls } = await azureScene({ script: [{ cutAfterBytes: 9_600 }] });
    const stream = assessor.open({ referenceText: TEXT, signal: new AbortController().signal });
    const pieces = piecesOf(voice);
    for (const piece of pieces.slice(0, 8)) stream.write(piece);
    await vi.waitFor(() => expect(calls[1]?.audioBytes).toBe(8 * 3_200));
    for (const piece of pieces.slice(8)) stream.write(piece);
    const { assessment } = await stream.end();
    expect(assessment.completeness).toBe(100);
    expect(calls.map(({ audioBytes }) => audioBytes)).toEqual([expect.any(Number), voice.length]);
  });

  it.each([false, true])(
    'in continuous mode loses no phrase and counts none twice (closed politely: %s)',
    async (isCutPolite) => {
      const text = Array.from({ length: 60 }, () => 'tea').join(' ');
      const { say, calls } = await azureScene({
        script: [{ segments: [{}, {}], cutAfterPhrase: true, isCutPolite }, { segments: [{}, {}] }],
      });
      const { assessment } = await say(voice, { referenceText: text });
      expect(assessment.words.map(({ error }) => error)).toEqual(Array(60).fill('None'));
      expect(calls).toHaveLength(2);
    },
  );

  it('in the second pass over free speech does not lose the first', async () => {
    const { say, calls } = await azureScene({ script: [{}, { refuse: 500 }] });
    const { text, assessment } = await say(voice, { referenceText: null });
    expect(text).not.toBe('');
    expect(assessment.pron).not.toBeNull();
    expect(calls.map(({ assessment: asked }) => asked !== null)).toEqual([false, false, true]);
  });
});

describe('nobody at the other end', () => {
  it('a port that nobody listens on', async () => {
    const { twin, assessor } = await azureScene();
    await twin.close();
    const stream = assessor.open({ referenceText: TEXT, signal: new AbortController().signal });
    stream.write(voice);
    expect(await failureIn(stream.end())).toMatchObject({ reason: 'unreachable' });
  });

  it('a region that does not exist', async () => {
    const timeouts = { connectMs: 1_000, answerMs: 1_000, retryPauseMs: 1 };
    const { assessor } = await azureScene();
    const wish = { referenceText: TEXT, signal: new AbortController().signal };
    const stream = assessor.open(wish, { key: KEY, region: 'nowhere', timeouts });
    stream.write(voice);
    expect(await failureIn(stream.end())).toMatchObject({ reason: 'unreachable' });
  });
});

describe('a learner who leaves', () => {
  it('in the middle: the socket is closed, nothing is tried again', async () => {
    const { assessor, calls } = await azureScene();
    const leaving = new AbortController();
    const stream = assessor.open({ referenceText: TEXT, signal: leaving.signal });
    stream.write(voice.subarray(0, 16_000));
    await vi.waitFor(() => expect(calls[0]?.audioBytes).toBeGreaterThan(0));
    leaving.abort();
    await vi.waitFor(() => expect(calls[0]?.state).toBe('closed'));
    await expect(stream.end()).rejects.toThrow('aborted');
    expect(calls).toHaveLength(1);
  });

  it('before the socket is open', async () => {
    const { assessor, calls } = await azureScene({ script: [{ openAfterMs: 100 }] });
    const leaving = new AbortController();
    const stream = assessor.open({ referenceText: TEXT, signal: leaving.signal });
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    leaving.abort();
    await expect(stream.end()).rejects.toThrow('aborted');
    await vi.waitFor(() => expect(calls[0]?.state).toBe('closed'));
    expect(calls).toHaveLength(1);
  });

  it('before anything: no socket is opened', async () => {
    const { assessor, calls } = await azureScene();
    const stream = assessor.open({ referenceText: TEXT, signal: AbortSignal.abort() });
    await expect(stream.end()).rejects.toThrow('aborted');
    expect(calls).toHaveLength(0);
  });

  it('while it is answered', async () => {
    const { assessor, calls } = await azureScene({ script: [{ answerAfterMs: NEVER_MS }] });
    const leaving = new AbortController();
    const stream = assessor.open({ referenceText: TEXT, signal: leaving.signal });
    stream.write(voice);
    const ended = stream.end();
    await vi.waitFor(() => expect(calls[0]?.hasAudioEnded).toBe(true));
    leaving.abort();
    await expect(ended).rejects.toThrow('aborted');
    await vi.waitFor(() => expect(calls[0]?.state).toBe('closed'));
  });
});
