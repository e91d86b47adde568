import { ServiceFailure, type ServiceFailureReason } from '@parley/domain';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RealtimeEvent } from '../../../ports/speech/index.ts';
import { silence, speech } from './test-kit/microphone-audio.ts';
import {
  aRealtimeRequest,
  PATIENT_TIMEOUTS,
  SHORT_TIMEOUTS,
  type TestSession,
  startTestSession,
  realtimeVoiceAt,
} from './test-kit/test-session.ts';
import {
  type RealtimeFake,
  startRealtimeFake,
  type ScriptedReply,
  type ScriptedRejection,
} from '@parley/fakes/openai-realtime/index.ts';

const SECRET = 'my sister Ludmila is ill';

let fake: RealtimeFake;
beforeEach(async () => {
  fake = await startRealtimeFake({ speed: 20 });
});
afterEach(() => fake.close());

const open = (options: Parameters<typeof realtimeVoiceAt>[1] = {}, signal = new AbortController().signal) =>
  realtimeVoiceAt(fake, options).open(aRealtimeRequest({ messages: [{ role: 'learner', text: SECRET }] }), {
    onEvent: () => undefined,
    signal,
  });

const timeoutsFor = (failure: { does: string } | undefined): typeof PATIENT_TIMEOUTS =>
  failure?.does === 'fall_silent' ? SHORT_TIMEOUTS : PATIENT_TIMEOUTS;

const times = (count: number, refusal: ScriptedRejection): ScriptedRejection[] =>
  Array.from({ length: count }, () => refusal);

describe('a connection that does not open', () => {
  it.each<[what: string, refusals: ScriptedRejection[], failure: Partial<ServiceFailure>]>([
    ['a forbidden country', [{ does: 'reject', status: 403 }], { reason: 'key_refused' }],
    ['no credit', [{ does: 'reject', status: 429, code: 'insufficient_quota' }], { reason: 'key_refused' }],
    [
      'a lasting rate limit',
      times(3, { does: 'reject', status: 429, retryAfterMs: 5 }),
      { reason: 'busy', retryAfterMs: 5 },
    ],
    [
      'a rate limit longer than a learner waits',
      [{ does: 'reject', status: 429, retryAfterMs: 60_000 }],
      { reason: 'busy', retryAfterMs: 60_000 },
    ],
    ['a lasting server error', times(3, { does: 'reject', status: 503 }), { reason: 'unreachable' }],
    ['an unknown model', [{ does: 'reject', status: 404 }], { reason: 'unreachable' }],
    ['silence', times(3, { does: 'fall_silent' }), { reason: 'unreachable' }],
    [
      'rejected session settings',
      times(3, { does: 'refuse_session', code: 'invalid_value' }),
      { reason: 'unreachable' },
    ],
  ])('reports %s', async (_what, refusals, failure) => {
    fake.script.queueRejections(...refusals);
    await expect(open({ timeouts: timeoutsFor(refusals[0]) })).rejects.toMatchObject(failure);
    await expect(open()).resolves.toBeDefined();
  });

  it('reports a refused key without exposing it', async () => {
    const error: unknown = await open({ apiKey: 'sk-wrong-key' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ServiceFailure);
    expect(error).toMatchObject({ reason: 'key_refused' });
    expect(inspect(error, { depth: 9 })).not.toMatch(/sk-wrong-key|Ludmila/);
  });

  it('reports a closed port as unreachable', async () => {
    await expect(open({ baseUrl: 'http://127.0.0.1:9/v1' })).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it('opens after retries', async () => {
    fake.script.queueRejections({ does: 'reject', status: 500 }, { does: 'reject', status: 429, retryAfterMs: 5 });
    const session = await open();
    await session.close();
    expect(fake.sessions).toHaveLength(1);
  });

  it('is abandoned when the caller aborts', async () => {
    fake.script.queueRejections({ does: 'fall_silent' });
    const abortController = new AbortController();
    const opening = open({}, abortController.signal);
    setTimeout(() => abortController.abort(new Error('gone')), 50);
    await expect(opening).rejects.toThrow('gone');
  });

  it('reports the same failures for a client secret', async () => {
    await expect(
      realtimeVoiceAt(fake, { apiKey: 'wrong' }).createClientSecret(aRealtimeRequest(), new AbortController().signal),
    ).rejects.toMatchObject({
      reason: 'key_refused',
    });
  });
});

describe('a failing response', () => {
  const failingUtterance = (goesWrong: ScriptedReply['failure'], audioMs = 2_000): ScriptedReply => ({
    text: 'The room is free from the first of May, and it is quiet.',
    audioMs,
    ...(goesWrong === undefined ? {} : { failure: goesWrong }),
  });

  it.each<[what: string, line: ScriptedReply, reason: ServiceFailureReason]>([
    ['drops in the middle', failingUtterance({ does: 'cut', afterMs: 300 }), 'unreachable'],
    ['stops in the middle', failingUtterance({ does: 'fall_silent', afterMs: 300 }), 'unreachable'],
    ['never starts', failingUtterance({ does: 'fall_silent', afterMs: 0 }), 'unreachable'],
    ['sends a truncated event', failingUtterance({ does: 'garble_json', afterMs: 300 }), 'malformed'],
    ['sends an event of another shape', failingUtterance({ does: 'garble', afterMs: 300 }), 'malformed'],
    [
      'is rejected for lack of credit',
      failingUtterance({ does: 'error', afterMs: 300, code: 'insufficient_quota' }),
      'key_refused',
    ],
    [
      'ends with the session',
      failingUtterance({ does: 'error', afterMs: 300, code: 'session_expired' }),
      'unreachable',
    ],
  ])('that %s is reported and metered', async (_what, line, reason) => {
    fake.script.queueReplies(line);
    const testSession = await startTestSession(fake, {}, { timeouts: timeoutsFor(line.failure) });
    testSession.session.speak();
    expect((await testSession.next('failed')).failure).toMatchObject({ reason });
    // The received part is charged: 50 ms of audio per token, and a few words of prompt.
    const [spent, ...more] = testSession.eventsOfType('used').map(({ used }) => used);
    if (spent?.use !== 'reply') throw new Error('no answer was charged');
    expect(more).toEqual([]);
    expect(spent.audio.output).toBe((line.failure?.afterMs ?? 0) / 50);
    expect(spent.text.input).toBeGreaterThan(20);
    // The failure is the last event, and the connection is closed.
    const count = testSession.events.length;
    testSession.session.appendAudio(speech(500));
    testSession.session.speak();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(testSession.events).toHaveLength(count);
    expect(testSession.eventsOfType('failed')).toHaveLength(1);
    expect(testSession.fake.state).toBe('closed');
  });

  it('is requested once more before its first audio', async () => {
    fake.script.queueReplies(failingUtterance({ does: 'failed', afterMs: 0 }), { text: 'Good morning.', audioMs: 100 });
    const testSession = await startTestSession(fake);
    testSession.session.speak();
    expect((await testSession.next('coachEnded')).text).toBe('Good morning.');
    await testSession.session.close();
  });

  const rateLimited = failingUtterance({ does: 'failed', afterMs: 0, code: 'rate_limit_exceeded' });

  it('is requested again after pauses when the provider limits the rate', async () => {
    fake.script.queueReplies(rateLimited, rateLimited, { text: 'Good morning.', audioMs: 100 });
    const testSession = await startTestSession(fake);
    testSession.session.speak();
    expect((await testSession.next('coachEnded')).text).toBe('Good morning.');
    expect(testSession.eventsOfType('failed')).toEqual([]);
    fake.script.queueReplies(rateLimited, rateLimited, { text: 'And you?', audioMs: 100 });
    testSession.speakTurn(900);
    expect((await testSession.nextUtterance()).text).toBe('And you?');
    await testSession.session.close();
  });

  it('answers once when the learner speaks during such a pause', async () => {
    const limitsAtFirst = await startTestSession(fake, {}, { timeouts: { ...PATIENT_TIMEOUTS, backoffMs: 60_000 } });
    fake.script.queueReplies(rateLimited, { text: 'Good morning.', audioMs: 100 });
    limitsAtFirst.session.speak();
    await limitsAtFirst.next('used');
    limitsAtFirst.speakTurn(900);
    expect((await limitsAtFirst.nextUtterance()).text).toBe('Good morning.');
    expect(limitsAtFirst.sentEvents('response.create')).toHaveLength(2);
    await limitsAtFirst.session.close();
  });

  it('is reported as busy when the limit lasts', async () => {
    fake.script.queueReplies(rateLimited, rateLimited, rateLimited);
    const testSession = await startTestSession(fake);
    testSession.session.speak();
    expect((await testSession.next('failed')).failure).toMatchObject({ reason: 'busy' });
  });

  it('is declined when the content filter stops it twice', async () => {
    const filtered = failingUtterance({ does: 'filtered', afterMs: 0 });
    fake.script.queueReplies(filtered, filtered);
    const testSession = await startTestSession(fake);
    testSession.session.speak();
    expect((await testSession.next('failed')).failure).toMatchObject({ reason: 'declined' });
  });

  it('is not in the transcript when it fails between its first words and its first sound', async () => {
    fake.script.queueReplies(failingUtterance({ does: 'failed', afterMs: 0, isAfterWords: true }), {
      text: 'Good morning.',
      audioMs: 100,
    });
    const testSession = await startTestSession(fake);
    testSession.session.speak();
    expect(await testSession.next('coachEnded')).toMatchObject({ text: '', wasCut: true });
    expect((await testSession.nextUtterance()).text).toBe('Good morning.');
    await testSession.session.close();
  });

  it('is requested again before what is said next', async () => {
    fake.script.queueReplies(
      failingUtterance({ does: 'failed', afterMs: 0, isAfterWords: true }),
      { text: 'Good morning.', audioMs: 100 },
      { text: 'Goodbye.', audioMs: 100 },
    );
    const ended: RealtimeEvent[] = [];
    const session = await realtimeVoiceAt(fake).open(aRealtimeRequest(), {
      onEvent: (event) => {
        if (event.type !== 'coachEnded') return;
        ended.push(event);
        if (ended.length === 1) session.speak('Say goodbye.');
      },
      signal: new AbortController().signal,
    });
    session.speak();
    await vi.waitFor(() => expect(ended).toHaveLength(3), 8_000);
    expect(ended).toMatchObject([
      { text: '' },
      { text: 'Good morning.', isOrdered: false },
      { text: 'Goodbye.', isOrdered: true },
    ]);
    await session.close();
  });

  it("reports the provider's error after two failures", async () => {
    const failed = failingUtterance({ does: 'failed', afterMs: 0, code: 'insufficient_quota' });
    fake.script.queueReplies(failed, failed);
    const testSession = await startTestSession(fake);
    testSession.session.speak();
    expect((await testSession.next('failed')).failure).toMatchObject({ reason: 'key_refused' });
  });

  it('in the middle ends the utterance and the session continues', async () => {
    fake.script.queueReplies(failingUtterance({ does: 'failed', afterMs: 300 }), {
      text: 'Sorry. Where was I?',
      audioMs: 100,
    });
    const testSession = await startTestSession(fake);
    testSession.session.speak();
    expect((await testSession.nextUtterance()).text).toMatch(/^The room/);
    testSession.speakTurn(900);
    expect((await testSession.nextUtterance()).text).toBe('Sorry. Where was I?');
    await testSession.session.close();
  });

  it('ignores errors of events that came too late', async () => {
    fake.script.queueReplies({ text: 'Short.', audioMs: 300 });
    const testSession = await startTestSession(fake);
    testSession.session.speak();
    const { itemId } = await testSession.next('coachStarted');
    await testSession.audioArrived(100);
    testSession.session.interrupt();
    testSession.session.reportPlayback({ itemId, audioMs: 200 });
    await testSession.next('coachEnded');
    testSession.session.appendAudio(speech(900));
    testSession.session.appendAudio(silence(500));
    await testSession.next('coachStarted');
    expect(testSession.eventsOfType('failed')).toEqual([]);
    await testSession.session.close();
  });
});

describe('a session that breaks off', () => {
  const used = (testSession: TestSession) => testSession.eventsOfType('used').map((event) => event.used);

  it('charges for audio that was being transcribed', async () => {
    const slowFake = await startRealtimeFake({ speed: 20, transcribeMs: 60_000 });
    slowFake.script.queueReplies({ text: 'Yes.', failure: { does: 'cut', afterMs: 0 } });
    const testSession = await startTestSession(slowFake);
    testSession.speakTurn(900);
    await testSession.next('failed');
    await slowFake.close();
    expect(used(testSession)).toEqual([
      { use: 'transcribe', id: expect.any(String), seconds: expect.closeTo(1.4, 0), isEstimate: true },
      expect.objectContaining({ use: 'reply', isEstimate: true }),
    ]);
  });

  it('charges a second response for the first one as its input', async () => {
    fake.script.queueReplies(
      { text: 'Good morning.', audioMs: 300 },
      { text: 'Never to its end.', audioMs: 2_000, failure: { does: 'cut', afterMs: 500 } },
    );
    const testSession = await startTestSession(fake);
    testSession.session.speak();
    await testSession.nextUtterance();
    testSession.speakTurn(900);
    await testSession.next('failed');
    const [first, second] = used(testSession).filter(({ use }) => use === 'reply');
    if (first?.use !== 'reply' || second?.use !== 'reply') throw new Error('an answer was not charged');
    expect(second.text).toMatchObject({ input: first.text.input + first.text.output, cached: 300 });
    // The difference is the first response's audio and about 1.5 seconds of the learner's.
    expect(second.audio.input - first.audio.input - first.audio.output).toBeGreaterThan(8);
    expect(second.audio.output).toBe(10);
  });
});

describe('a transcription', () => {
  it('that fails is charged by its duration', async () => {
    fake.script.queueTranscripts(null);
    const testSession = await startTestSession(fake);
    testSession.speakTurn(900);
    await testSession.next('learnerSaid');
    const [spent] = testSession.eventsOfType('used').map(({ used }) => used);
    expect(spent).toMatchObject({ use: 'transcribe', seconds: expect.closeTo(1.4, 0) });
    await testSession.session.close();
  });

  it('that is disabled costs nothing', async () => {
    const slowFake = await startRealtimeFake({ speed: 20, transcribeMs: 60_000 });
    const testSession = await startTestSession(slowFake, {}, { transcribeModel: null });
    testSession.speakTurn(900);
    await testSession.next('coachStarted');
    await testSession.session.close();
    await slowFake.close();
    expect(testSession.eventsOfType('used').map(({ used }) => used.use)).toEqual(['reply']);
  });
});

describe('a closed session', () => {
  it('is closed at the provider and emits no more events', async () => {
    fake.script.queueReplies({ text: 'A long line.', audioMs: 4_000 });
    const testSession = await startTestSession(fake);
    testSession.session.speak();
    await testSession.next('coachStarted');
    const count = testSession.events.length;
    await testSession.session.close();
    await expect.poll(() => testSession.fake.state).toBe('closed');
    // Only the usage of the cancelled response follows.
    expect(testSession.events.slice(count).map(({ type }) => type)).toEqual(['used']);
  });

  it('keeps no timer that could fail it later', async () => {
    fake.script.queueReplies({ text: 'Never.', failure: { does: 'fall_silent', afterMs: 0 } });
    const testSession = await startTestSession(fake, {}, { timeouts: SHORT_TIMEOUTS });
    testSession.session.speak();
    await testSession.session.close();
    await new Promise((resolve) => setTimeout(resolve, SHORT_TIMEOUTS.silenceMs + 100));
    expect(testSession.eventsOfType('failed')).toEqual([]);
  });
});
