import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RealtimeEvent, SoundPlace } from '../../../speech/index.ts';
import { LearnerSpeech } from './learner-speech.ts';
import type { KnownEvent } from './server-events.ts';
import { cutOut, silence, speech } from './test-kit/sound.ts';
import { agreeAndGoOn, coachSpeaking, LONG_LINE, type Talk, talkWith } from './test-kit/talk.ts';
import { type RealtimeTwin, startRealtimeTwin } from './twin/index.ts';

/** Before a sound, and the silence that ends it; and what a frame of the twin's more or less is. */
const [PREFIX_MS, PATIENCE_MS, FRAME_MS] = [300, 400, 20];

let twin: RealtimeTwin;
beforeEach(async () => {
  twin = await startRealtimeTwin();
});
afterEach(() => twin.close());

/** Exactly this speech, all of it, with no more around it than the provider adds. */
function expectSpeech(talk: Talk, place: SoundPlace, ms: number): void {
  const cut = cutOut(talk.heard, place);
  expect(Math.abs(cut.voicedMs - ms)).toBeLessThanOrEqual(FRAME_MS);
  expect(cut.ms).toBeLessThanOrEqual(PREFIX_MS + ms + PATIENCE_MS + 2 * FRAME_MS);
}

describe('where a turn stands in the sound', () => {
  it('is told of each, though both are of one session', async () => {
    const talk = await talkWith(twin);
    talk.session.hear(silence(1_000));
    const told: SoundPlace[] = [];
    for (const ms of [900, 1_300]) {
      talk.say(ms);
      const { fromMs } = await talk.next('learnerStarted');
      const said = await talk.next('learnerSaid');
      expect(said.fromMs).toBe(fromMs);
      expectSpeech(talk, said, ms);
      told.push(said);
      await talk.nextLine();
    }
    expect(told.map(({ fromMs }) => fromMs)).toEqual([700, 2_300]);
    await talk.session.close();
  });

  it('is told before the words are, and they may come late', async () => {
    await twin.close();
    twin = await startRealtimeTwin({ transcribeMs: 500 });
    const talk = await talkWith(twin);
    talk.say(900);
    await talk.next('learnerStarted');
    // By then much more has been heard.
    talk.session.hear(silence(3_000));
    expectSpeech(talk, await talk.next('learnerSaid'), 900);
    await talk.session.close();
  });

  it('counts what was said while nobody listened', async () => {
    const talk = await talkWith(twin);
    talk.session.giveMeAMoment(true);
    talk.session.hear(speech(2_000));
    talk.session.giveMeAMoment(false);
    talk.session.hear(silence(500));
    talk.say(900);
    const said = await talk.next('learnerSaid');
    expect(said.fromMs).toBe(2_200);
    expectSpeech(talk, said, 900);
    await talk.session.close();
  });

  it('is that of the sentence that interrupts', async () => {
    const { talk } = await coachSpeaking(twin, LONG_LINE);
    talk.session.hear(silence(1_500));
    talk.session.hear(speech(700));
    await talk.next('bargeIn');
    expect((await talk.next('learnerStarted')).fromMs).toBe(1_200);
    talk.session.hear(speech(600));
    talk.session.hear(silence(700));
    const said = await talk.next('learnerSaid');
    expect(said.fromMs).toBe(1_200);
    expectSpeech(talk, said, 1_300);
    await talk.session.close();
  });

  it('is that of a word that was asked for, also when it is known only later that it was a turn', async () => {
    await twin.close();
    twin = await startRealtimeTwin({ transcribeMs: 300 });
    twin.script.hears('Stop!');
    const { talk } = await coachSpeaking(twin, LONG_LINE);
    talk.session.hear(silence(1_500));
    talk.session.hear(speech(360));
    talk.session.hear(silence(340));
    await pause(100);
    talk.session.hear(silence(2_000));
    expect((await talk.next('learnerStarted')).fromMs).toBe(1_200);
    const said = await talk.next('learnerSaid');
    expect(said.fromMs).toBe(1_200);
    expectSpeech(talk, said, 360);
    // It ends where its words were asked for.
    expect(said.toMs).toBe(2_200);
    await talk.session.close();
  });

  it.each([0, 100])('is that of agreement, and of the sentence it turned into %i ms later', async (laterMs) => {
    twin.script.hears('But', 'I wanted the second floor.');
    const { talk } = await coachSpeaking(twin, LONG_LINE);
    await agreeAndGoOn(talk, { agreeMs: 360, laterMs });
    const [first, second] = [await talk.next('learnerSaid'), await talk.next('learnerSaid')];
    expectSpeech(talk, first, 360);
    expectSpeech(talk, second, 1_200);
    expect(second.fromMs).toBe(first.toMs);
    await talk.session.close();
  });
});

describe('a provider that reckons otherwise', () => {
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

  it.each<[what: string, events: KnownEvent[], place: SoundPlace]>([
    ['begins before the sound', [started(-300), stopped(900)], { fromMs: 0, toMs: 900 }],
    ['ends after the sound', [started(200), stopped(9_000)], { fromMs: 200, toMs: 1_000 }],
    ['ends before it began', [started(600), stopped(300)], { fromMs: 300, toMs: 300 }],
    ['is wholly elsewhere', [started(50_000), stopped(60_000)], { fromMs: 1_000, toMs: 1_000 }],
    ['does not say where it ends', [started(200), stopped()], { fromMs: 200, toMs: 1_000 }],
    ['does not notice its end', [started(200)], { fromMs: 200, toMs: 1_000 }],
    ['does not notice its beginning', [], { fromMs: 0, toMs: 1_000 }],
  ])('%s: the place is within what was heard', (_what, events, place) => {
    const told: RealtimeEvent[] = [];
    const learner = new LearnerSpeech({
      send: () => undefined,
      tryTo: () => undefined,
      tell: (event) => void told.push(event),
      coach: { isSpeaking: () => false, interrupt: () => undefined },
      turnTaken: () => undefined,
    });
    learner.hear(speech(1_000));
    for (const event of events) learner.take(event);
    learner.take({ type: 'input_audio_buffer.committed', item_id: itemId });
    learner.take({
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: itemId,
      transcript: 'Good morning.',
    });
    expect(told.at(-1)).toEqual({ type: 'learnerSaid', itemId, text: 'Good morning.', ...place });
    learner.close();
  });
});
