/** Failures of the connection to Azure and how the adapter reports them. */
import { ServiceFailure, type ServiceFailureReason } from '@parley/domain';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { synthesiseSpeech } from '../test-kit/speech-audio.ts';
import { startAzureFixture, KEY, chunkAudio } from '../test-kit/azure-fixture.ts';
import type { CallScript } from '@parley/fakes/azure-speech/index.ts';

const TEXT = 'I would like a cup of tea, please.';

let voice: Uint8Array;
beforeAll(async () => {
  voice = await synthesiseSpeech(TEXT);
});

const failureIn = async (answer: Promise<unknown>): Promise<ServiceFailure> => {
  const error: unknown = await answer.then(
    () => new Error('the request succeeded'),
    (error: unknown) => error,
  );
  if (error instanceof ServiceFailure) return error;
  throw error;
};

/** Longer than any test, so that only the fake's silence matters. */
const NEVER_MS = 60_000;

const FINAL: [what: string, script: CallScript, reason: ServiceFailureReason][] = [
  ['a refused key', { refuse: 401 }, 'key_refused'],
  ['a key without permission', { refuse: 403 }, 'key_refused'],
  ['a request that Azure rejects', { refuse: 400 }, 'malformed'],
  ['an answer that is not JSON', { malformed: true }, 'malformed'],
  ['an answer without scores', { hears: 'unscored' }, 'malformed'],
  ['a used-up free subscription', { status: 'Forbidden' }, 'key_refused'],
  ['a phrase with status BadRequest', { status: 'BadRequest' }, 'malformed'],
];

/**
 * The wording that users of pronunciation assessment reported (ZuodaoTech/everyone-can-use-english#173); exceeding the
 * concurrency limit reads the same.
 */
const QUOTA_EXCEEDED = { code: 1007, reason: 'Quota exceeded. Cid: ' };

const TRANSIENT: [what: string, script: CallScript, reason: ServiceFailureReason][] = [
  ['too many requests', { refuse: 429 }, 'busy'],
  ['a service that is briefly down', { refuse: 503 }, 'busy'],
  ['a server error', { refuse: 500 }, 'unreachable'],
  ['a used-up quota', { cutAfterBytes: 16_000, closesWith: QUOTA_EXCEEDED }, 'busy'],
  ['too many concurrent transcriptions', { status: 'TooManyRequests' }, 'busy'],
  ['a phrase with status Error', { status: 'Error' }, 'unreachable'],
  ['a connection that drops in the middle', { cutAfterBytes: 16_000 }, 'unreachable'],
  ['a socket that closes in the middle', { cutAfterBytes: 16_000, isCutPolite: true }, 'unreachable'],
  ['a socket that never opens', { openAfterMs: NEVER_MS }, 'unreachable'],
  ['an answer that never comes', { answerAfterMs: NEVER_MS }, 'unreachable'],
];

const IMPATIENT = { connectMs: 400, answerMs: 400 };

describe('a permanent failure', () => {
  it.each(FINAL)('reports %s without a retry', async (_, script, reason) => {
    const { say, calls } = await startAzureFixture({ script: [script] });
    expect(await failureIn(say(voice, { referenceText: TEXT }))).toMatchObject({ reason });
    expect(calls).toHaveLength(1);
  });

  it('reports an unknown key as key_refused', async () => {
    const { assessor } = await startAzureFixture({ key: 'another key' });
    const stream = assessor.open({ referenceText: TEXT, signal: new AbortController().signal });
    stream.write(voice);
    expect(await failureIn(stream.end())).toMatchObject({ reason: 'key_refused' });
  });

  it('names the cause and never the key', async () => {
    const { say } = await startAzureFixture({ script: [{ refuse: 401 }] });
    const { cause } = await failureIn(say(voice, { referenceText: TEXT }));
    expect(String(cause)).toContain('401');
    expect(String(cause)).not.toContain(KEY);
  });
});

describe('a transient failure', () => {
  it.each(TRANSIENT)('reports %s when it happens twice', async (_, script, reason) => {
    const { say, calls } = await startAzureFixture({ script: [script, script] }, IMPATIENT);
    expect(await failureIn(say(voice, { referenceText: TEXT }))).toMatchObject({ reason });
    expect(calls).toHaveLength(2);
  });

  it.each(TRANSIENT)('recovers from %s with the buffered audio', async (_, script) => {
    const { say, calls } = await startAzureFixture({ script: [script] }, IMPATIENT);
    const { assessment } = await say(voice, { referenceText: TEXT });
    expect(assessment.completeness).toBe(100);
    expect(calls).toHaveLength(2);
    expect(calls[1]?.audioBytes).toBe(voice.length);
  });

  it('recovers while the learner still speaks', async () => {
    const { assessor, calls } = await startAzureFixture({ script: [{ cutAfterBytes: 9_600 }] });
    const stream = assessor.open({ referenceText: TEXT, signal: new AbortController().signal });
    const pieces = chunkAudio(voice);
    for (const piece of pieces.slice(0, 8)) stream.write(piece);
    await vi.waitFor(() => expect(calls[1]?.audioBytes).toBe(8 * 3_200));
    for (const piece of pieces.slice(8)) stream.write(piece);
    const { assessment } = await stream.end();
    expect(assessment.completeness).toBe(100);
    expect(calls.map(({ audioBytes }) => audioBytes)).toEqual([expect.any(Number), voice.length]);
  });

  it.each([false, true])('in continuous mode loses and repeats no phrase (closed cleanly: %s)', async (isCutPolite) => {
    const text = Array.from({ length: 60 }, () => 'tea').join(' ');
    const { say, calls } = await startAzureFixture({
      script: [{ segments: [{}, {}], cutAfterPhrase: true, isCutPolite }, { segments: [{}, {}] }],
    });
    const { assessment } = await say(voice, { referenceText: text });
    expect(assessment.words.map(({ error }) => error)).toEqual(Array(60).fill('None'));
    expect(calls).toHaveLength(2);
  });

  it('in the second pass over free speech keeps the first pass', async () => {
    const { say, calls } = await startAzureFixture({ script: [{}, { refuse: 500 }] });
    const { text, assessment } = await say(voice, { referenceText: null });
    expect(text).not.toBe('');
    expect(assessment.pron).not.toBeNull();
    expect(calls.map(({ assessment: transcription }) => transcription !== null)).toEqual([false, false, true]);
  });
});

describe('an unreachable service', () => {
  it('reports a closed port as unreachable', async () => {
    const { fake, assessor } = await startAzureFixture();
    await fake.close();
    const stream = assessor.open({ referenceText: TEXT, signal: new AbortController().signal });
    stream.write(voice);
    expect(await failureIn(stream.end())).toMatchObject({ reason: 'unreachable' });
  });

  it('reports an unknown region as unreachable', async () => {
    const timeouts = { connectMs: 1_000, answerMs: 1_000, retryPauseMs: 1 };
    const { assessor } = await startAzureFixture();
    const request = { referenceText: TEXT, signal: new AbortController().signal };
    const stream = assessor.open(request, { key: KEY, region: 'nowhere', timeouts });
    stream.write(voice);
    expect(await failureIn(stream.end())).toMatchObject({ reason: 'unreachable' });
  });
});

describe('a learner who leaves', () => {
  it('closes the socket and does not retry, in the middle', async () => {
    const { assessor, calls } = await startAzureFixture();
    const abortController = new AbortController();
    const stream = assessor.open({ referenceText: TEXT, signal: abortController.signal });
    stream.write(voice.subarray(0, 16_000));
    await vi.waitFor(() => expect(calls[0]?.audioBytes).toBeGreaterThan(0));
    abortController.abort();
    await vi.waitFor(() => expect(calls[0]?.state).toBe('closed'));
    await expect(stream.end()).rejects.toThrow('aborted');
    expect(calls).toHaveLength(1);
  });

  it('closes the socket before it is open', async () => {
    const { assessor, calls } = await startAzureFixture({ script: [{ openAfterMs: 100 }] });
    const abortController = new AbortController();
    const stream = assessor.open({ referenceText: TEXT, signal: abortController.signal });
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    abortController.abort();
    await expect(stream.end()).rejects.toThrow('aborted');
    await vi.waitFor(() => expect(calls[0]?.state).toBe('closed'));
    expect(calls).toHaveLength(1);
  });

  it('opens no socket when the signal was already aborted', async () => {
    const { assessor, calls } = await startAzureFixture();
    const stream = assessor.open({ referenceText: TEXT, signal: AbortSignal.abort() });
    await expect(stream.end()).rejects.toThrow('aborted');
    expect(calls).toHaveLength(0);
  });

  it('closes the socket while an answer is pending', async () => {
    const { assessor, calls } = await startAzureFixture({ script: [{ answerAfterMs: NEVER_MS }] });
    const abortController = new AbortController();
    const stream = assessor.open({ referenceText: TEXT, signal: abortController.signal });
    stream.write(voice);
    const ended = stream.end();
    await vi.waitFor(() => expect(calls[0]?.hasAudioEnded).toBe(true));
    abortController.abort();
    await expect(ended).rejects.toThrow('aborted');
    await vi.waitFor(() => expect(calls[0]?.state).toBe('closed'));
  });
});
