import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RealtimeFake, startRealtimeFake } from '@parley/fakes/openai-realtime/index.ts';
import { silence, speech } from './test-kit/microphone-audio.ts';
import {
  backchannelThenSpeak,
  startWithCoachSpeaking,
  LONG_UTTERANCE,
  startTestSession,
} from './test-kit/test-session.ts';

let fake: RealtimeFake;
beforeEach(async () => {
  fake = await startRealtimeFake();
});
afterEach(() => fake.close());

describe('a learner who interrupts', () => {
  it('stops the coach and keeps only what was heard', async () => {
    fake.script.queueTranscripts('Sorry, which floor was it?');
    const { testSession, itemId } = await startWithCoachSpeaking(fake, LONG_UTTERANCE, {
      text: 'Of course.',
      audioMs: 200,
    });
    await testSession.audioArrived(400);
    testSession.session.appendAudio(speech(700));
    expect(await testSession.next('bargeIn')).toEqual({ type: 'bargeIn', itemId });
    const chunksAtInterruption = testSession.eventsOfType('coachAudio').length;
    testSession.session.reportPlayback({ itemId, audioMs: 300 });
    const ended = await testSession.next('coachEnded');
    expect(ended.wasCut).toBe(true);
    expect(ended.text).not.toBe('');
    expect(LONG_UTTERANCE.text.startsWith(ended.text)).toBe(true);
    expect(ended.text.length).toBeLessThan(LONG_UTTERANCE.text.length / 2);
    testSession.session.appendAudio(speech(600));
    testSession.session.appendAudio(silence(700));
    expect((await testSession.next('learnerSaid')).text).toBe('Sorry, which floor was it?');
    expect((await testSession.nextUtterance()).text).toBe('Of course.');
    expect(testSession.eventsOfType('coachAudio').filter((sound) => sound.itemId === itemId)).toHaveLength(
      chunksAtInterruption,
    );
    expect(testSession.sentEvents('response.cancel')).toHaveLength(1);
    expect(testSession.sentEvents('conversation.item.truncate')).toMatchObject([
      { item_id: itemId, content_index: 0, audio_end_ms: 300 },
    ]);
    await testSession.session.close();
  });

  it('also stops an utterance that has fully arrived', async () => {
    await fake.close();
    fake = await startRealtimeFake({ speed: 100 });
    const startMs = performance.now();
    const { testSession, itemId } = await startWithCoachSpeaking(fake, LONG_UTTERANCE);
    await testSession.utteranceGenerated();
    await pause(200);
    testSession.session.appendAudio(speech(700));
    await testSession.next('bargeIn');
    // The player does not report, so the position is estimated by the clock.
    const ended = await testSession.next('coachEnded');
    expect(ended.wasCut).toBe(true);
    await expect.poll(() => testSession.sentEvents('conversation.item.truncate')).toHaveLength(1);
    expect(testSession.sentEvents('response.cancel')).toEqual([]);
    const [truncated] = testSession.sentEvents('conversation.item.truncate');
    expect(truncated?.item_id).toBe(itemId);
    expect(truncated?.audio_end_ms).toBeGreaterThan(100);
    expect(truncated?.audio_end_ms).toBeLessThan(Math.min(LONG_UTTERANCE.audioMs, performance.now() - startMs));
    await testSession.session.close();
  });

  it('stops the coach with one word that is not a backchannel', async () => {
    fake.script.queueTranscripts('Stop!');
    const { testSession } = await startWithCoachSpeaking(fake, LONG_UTTERANCE);
    testSession.session.appendAudio(speech(350));
    testSession.session.appendAudio(silence(340));
    await testSession.next('bargeIn', 300);
    expect((await testSession.next('learnerSaid')).text).toBe('Stop!');
    expect(testSession.sentEvents('input_audio_buffer.commit')).toHaveLength(1);
    await testSession.session.close();
  });

  it('before the first audio prevents the utterance', async () => {
    fake.script.queueReplies({ text: 'Unheard.', audioMs: 5_000, delayMs: 300 }, { text: 'Heard.', audioMs: 100 });
    const testSession = await startTestSession(fake);
    testSession.session.appendAudio(speech(800));
    testSession.session.appendAudio(silence(420));
    // The response was requested, and the learner continues the sentence at once.
    await testSession.next('learnerStarted');
    await expect.poll(() => testSession.sentEvents('response.create')).toHaveLength(1);
    testSession.session.appendAudio(speech(900));
    testSession.session.appendAudio(silence(420));
    expect((await testSession.nextUtterance()).text).toBe('Heard.');
    // Otherwise, the coach's history would contain it as said.
    expect(testSession.sentEvents('conversation.item.delete')).toHaveLength(1);
    await testSession.session.close();
  });

  it.each(['Mm-hm.', 'Yeah, right.', ''])(
    'but “%s” does not stop the coach, nor ask it anything',
    { tags: ['slow'] },
    async (words) => {
      fake.script.queueTranscripts(words);
      const { testSession } = await startWithCoachSpeaking(fake, { ...LONG_UTTERANCE, audioMs: 1_600 });
      await testSession.audioArrived(100);
      testSession.session.appendAudio(speech(420));
      testSession.session.appendAudio(silence(1_500));
      expect(await testSession.next('coachEnded', 4_000)).toMatchObject({ text: LONG_UTTERANCE.text, wasCut: false });
      // Both the sound and the silence after it are deleted.
      await expect.poll(() => testSession.sentEvents('conversation.item.delete').length).toBeGreaterThanOrEqual(1);
      expect(testSession.eventsOfType('bargeIn')).toEqual([]);
      expect(testSession.eventsOfType('learnerStarted')).toEqual([]);
      expect(testSession.eventsOfType('learnerSaid')).toEqual([]);
      expect(testSession.sentEvents('response.create')).toHaveLength(1);
      expect(testSession.session.learnerSpeechMs()).toBe(0);
      await testSession.session.close();
    },
  );

  it.each([0, 100])('stops the coach after a backchannel and %i ms', { tags: ['slow'] }, async (laterMs) => {
    fake.script.queueTranscripts('Yeah.', 'But I wanted the second floor.');
    const { testSession } = await startWithCoachSpeaking(fake, LONG_UTTERANCE, { text: 'I see.', audioMs: 100 });
    await backchannelThenSpeak(testSession, { backchannelMs: 350, pauseMs: laterMs });
    if (laterMs === 0) expect((await testSession.next('learnerSaid')).text).toBe('Yeah.');
    expect((await testSession.next('learnerSaid')).text).toBe('But I wanted the second floor.');
    expect((await testSession.next('coachEnded')).wasCut).toBe(true);
    expect((await testSession.nextUtterance()).text).toBe('I see.');
    expect(testSession.sentEvents('response.create')).toHaveLength(2);
    await testSession.session.close();
  });

  it('pauses the coach until it is clear whether it was meant', async () => {
    fake.script.queueTranscripts('Mm-hm.', 'Excuse me.');
    const { testSession, itemId } = await startWithCoachSpeaking(
      fake,
      { ...LONG_UTTERANCE, audioMs: 900 },
      LONG_UTTERANCE,
    );
    await testSession.audioArrived(200);
    testSession.session.reportPlayback({ itemId, audioMs: 200, isHeld: true });
    // By the clock the utterance would have ended.
    await pause(1_300);
    expect(testSession.eventsOfType('coachEnded')).toEqual([]);
    const goesOnAtMs = performance.now();
    testSession.session.reportPlayback({ itemId, audioMs: 200 });
    expect(await testSession.next('coachEnded')).toMatchObject({ text: LONG_UTTERANCE.text, wasCut: false });
    expect(performance.now() - goesOnAtMs).toBeGreaterThan(700);

    testSession.session.speak();
    const { itemId: second } = await testSession.next('coachStarted');
    // The rest of the first utterance, and what the player reports of the second.
    await testSession.audioArrived(700 + 150);
    testSession.session.reportPlayback({ itemId: second, audioMs: 150, isHeld: true });
    testSession.session.appendAudio(speech(900));
    await testSession.next('bargeIn');
    // This player does not report where it stopped, but its held position is known.
    await testSession.next('coachEnded');
    await expect
      .poll(() => testSession.sentEvents('conversation.item.truncate'))
      .toMatchObject([{ item_id: second, audio_end_ms: 150 }]);
    await testSession.session.close();
  });

  it("who says “yes” in the coach's last moment is answering", async () => {
    fake.script.queueTranscripts('Yes.');
    const { testSession } = await startWithCoachSpeaking(
      fake,
      { text: 'Shall we?', audioMs: 500 },
      { text: 'Good.', audioMs: 100 },
    );
    await pause(300);
    testSession.speakTurn(350);
    expect((await testSession.next('learnerSaid')).text).toBe('Yes.');
    expect(testSession.eventsOfType('bargeIn')).toEqual([]);
    await testSession.next('coachStarted');
    await testSession.session.close();
  });
});
