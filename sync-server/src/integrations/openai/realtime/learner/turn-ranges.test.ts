import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RealtimeEvent, AudioSpan } from '../../../../ports/speech/index.ts';
import { LearnerTurns } from './learner-turns.ts';
import type { KnownEvent } from '../server-events.ts';
import { measureRange, silence, speech } from '../test-kit/microphone-audio.ts';
import {
  backchannelThenSpeak,
  startWithCoachSpeaking,
  LONG_UTTERANCE,
  type TestSession,
  startTestSession,
} from '../test-kit/test-session.ts';
import { type RealtimeFake, startRealtimeFake } from '@parley/fakes/openai-realtime/index.ts';

/** Prefix before a sound, silence that ends it, and the fake's frame size as tolerance. */
const [PREFIX_MS, PATIENCE_MS, FRAME_MS] = [300, 400, 20];

let fake: RealtimeFake;
beforeEach(async () => {
  fake = await startRealtimeFake();
});
afterEach(() => fake.close());

/** Expects exactly this speech, with no more around it than the provider adds. */
function expectSpeechRange(testSession: TestSession, place: AudioSpan, ms: number): void {
  const range = measureRange(testSession.sentAudio, place);
  expect(Math.abs(range.voicedMs - ms)).toBeLessThanOrEqual(FRAME_MS);
  expect(range.ms).toBeLessThanOrEqual(PREFIX_MS + ms + PATIENCE_MS + 2 * FRAME_MS);
}

describe('the range of a turn', () => {
  it('is reported for each turn of a session', async () => {
    const testSession = await startTestSession(fake);
    testSession.session.appendAudio(silence(1_000));
    const emitted: AudioSpan[] = [];
    for (const ms of [900, 1_300]) {
      testSession.speakTurn(ms);
      const { fromMs } = await testSession.next('learnerStarted');
      const said = await testSession.next('learnerSaid');
      expect(said.fromMs).toBe(fromMs);
      expectSpeechRange(testSession, said, ms);
      emitted.push(said);
      await testSession.nextUtterance();
    }
    expect(emitted.map(({ fromMs }) => fromMs)).toEqual([700, 2_300]);
    await testSession.session.close();
  });

  it('is reported before a late transcript', async () => {
    await fake.close();
    fake = await startRealtimeFake({ transcribeMs: 500 });
    const testSession = await startTestSession(fake);
    testSession.speakTurn(900);
    await testSession.next('learnerStarted');
    // More audio arrives in the meantime.
    testSession.session.appendAudio(silence(3_000));
    expectSpeechRange(testSession, await testSession.next('learnerSaid'), 900);
    await testSession.session.close();
  });

  it('counts audio that arrived while on hold', async () => {
    const testSession = await startTestSession(fake);
    testSession.session.setOnHold(true);
    testSession.session.appendAudio(speech(2_000));
    testSession.session.setOnHold(false);
    testSession.session.appendAudio(silence(500));
    testSession.speakTurn(900);
    const said = await testSession.next('learnerSaid');
    expect(said.fromMs).toBe(2_200);
    expectSpeechRange(testSession, said, 900);
    await testSession.session.close();
  });

  it('starts with the sentence that interrupts', async () => {
    const { testSession } = await startWithCoachSpeaking(fake, LONG_UTTERANCE);
    testSession.session.appendAudio(silence(1_500));
    testSession.session.appendAudio(speech(700));
    await testSession.next('bargeIn');
    expect((await testSession.next('learnerStarted')).fromMs).toBe(1_200);
    testSession.session.appendAudio(speech(600));
    testSession.session.appendAudio(silence(700));
    const said = await testSession.next('learnerSaid');
    expect(said.fromMs).toBe(1_200);
    expectSpeechRange(testSession, said, 1_300);
    await testSession.session.close();
  });

  it('covers a short word that became a turn later', async () => {
    await fake.close();
    fake = await startRealtimeFake({ transcribeMs: 300 });
    fake.script.queueTranscripts('Stop!');
    const { testSession } = await startWithCoachSpeaking(fake, LONG_UTTERANCE);
    testSession.session.appendAudio(silence(1_500));
    testSession.session.appendAudio(speech(360));
    testSession.session.appendAudio(silence(340));
    await pause(100);
    testSession.session.appendAudio(silence(2_000));
    expect((await testSession.next('learnerStarted')).fromMs).toBe(1_200);
    const said = await testSession.next('learnerSaid');
    expect(said.fromMs).toBe(1_200);
    expectSpeechRange(testSession, said, 360);
    // The range ends where the commit was requested.
    expect(said.toMs).toBe(2_200);
    await testSession.session.close();
  });

  it.each([0, 100])('covers a backchannel and the sentence after %i ms', async (laterMs) => {
    fake.script.queueTranscripts('But', 'I wanted the second floor.');
    const { testSession } = await startWithCoachSpeaking(fake, LONG_UTTERANCE);
    await backchannelThenSpeak(testSession, { backchannelMs: 360, pauseMs: laterMs });
    const [first, second] = [await testSession.next('learnerSaid'), await testSession.next('learnerSaid')];
    expectSpeechRange(testSession, first, 360);
    expectSpeechRange(testSession, second, 1_200);
    expect(second.fromMs).toBe(first.toMs);
    await testSession.session.close();
  });
});

describe('a provider with other timestamps', () => {
  const itemId = 'item_1';
  const started = (audio_start_ms: number): KnownEvent => ({
    type: 'input_audio_buffer.speech_started',
    audio_start_ms,
    item_id: itemId,
  });
  const stopped = (audio_end_ms?: number): KnownEvent => ({
    type: 'input_audio_buffer.speech_stopped',
    audio_end_ms,
    item_id: itemId,
  });

  it.each<[what: string, events: KnownEvent[], place: AudioSpan]>([
    ['starts before the audio', [started(-300), stopped(900)], { fromMs: 0, toMs: 900 }],
    ['ends after the audio', [started(200), stopped(9_000)], { fromMs: 200, toMs: 1_000 }],
    ['ends before it starts', [started(600), stopped(300)], { fromMs: 300, toMs: 300 }],
    ['lies outside the audio', [started(50_000), stopped(60_000)], { fromMs: 1_000, toMs: 1_000 }],
    ['reports no end', [started(200), stopped()], { fromMs: 200, toMs: 1_000 }],
    ['never detects the end', [started(200)], { fromMs: 200, toMs: 1_000 }],
    ['never detects the start', [], { fromMs: 0, toMs: 1_000 }],
  ])('that %s yields a range within the audio', (_what, events, place) => {
    const emitted: RealtimeEvent[] = [];
    const learner = new LearnerTurns({
      send: () => undefined,
      sendBestEffort: () => undefined,
      emit: (event) => void emitted.push(event),
      coach: { isSpeaking: () => false, interrupt: () => undefined },
      onTurnTaken: () => undefined,
    });
    learner.addAudio(speech(1_000));
    for (const event of events) learner.handleEvent(event);
    learner.handleEvent({ type: 'input_audio_buffer.committed', item_id: itemId });
    learner.handleEvent({
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: itemId,
      transcript: 'Good morning.',
    });
    expect(emitted.at(-1)).toEqual({ type: 'learnerSaid', itemId, text: 'Good morning.', ...place });
    learner.close();
  });
});
