import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silence, speech } from './test-kit/microphone-audio.ts';
import {
  aRealtimeRequest,
  startWithCoachSpeaking,
  LONG_UTTERANCE,
  startTestSession,
  realtimeVoiceAt,
} from './test-kit/test-session.ts';
import { type RealtimeFake, startRealtimeFake, type ScriptedReply } from '@parley/fakes/openai-realtime/index.ts';

let fake: RealtimeFake;
beforeEach(async () => {
  fake = await startRealtimeFake();
});
afterEach(() => fake.close());

describe('a session', () => {
  it('is set up with our own turn decisions and the coach’s voice', async () => {
    const testSession = await startTestSession(fake, { patienceMs: 2_000 });
    expect(testSession.fake.model).toBe('gpt-realtime-2.1');
    expect(testSession.sentEvents('session.update')).toEqual([
      {
        type: 'session.update',
        session: expect.objectContaining({
          type: 'realtime',
          instructions: expect.stringMatching(/Marta Nowak[^]*United Kingdom/),
          reasoning: { effort: 'minimal' },
          tools: [expect.objectContaining({ type: 'function', name: 'end_lesson' })],
          audio: {
            input: {
              format: { type: 'audio/pcm', rate: 24_000 },
              noise_reduction: { type: 'near_field' },
              transcription: { model: 'gpt-transcribe', language: 'en' },
              turn_detection: {
                type: 'server_vad',
                silence_duration_ms: 2_000,
                prefix_padding_ms: 300,
                create_response: false,
                interrupt_response: false,
              },
            },
            output: { format: { type: 'audio/pcm', rate: 24_000 }, voice: 'shimmer', speed: 1 },
          },
        }),
      },
    ]);
    await testSession.session.close();
  });

  it('uses semantic turn detection when the learner set no patience', async () => {
    const testSession = await startTestSession(fake, { patienceMs: null });
    const [update] = testSession.sentEvents('session.update');
    expect(update?.session).toMatchObject({
      audio: { input: { turn_detection: { type: 'semantic_vad', create_response: false, interrupt_response: false } } },
    });
    await testSession.session.close();
  });

  it('receives the earlier messages with their roles', async () => {
    const messages = [
      { role: 'learner', text: '<scene>A flat.</scene>' },
      { role: 'coach', text: 'Good morning.' },
    ] as const;
    const testSession = await startTestSession(fake, { messages });
    await expect.poll(() => testSession.sentEvents('conversation.item.create')).toHaveLength(2);
    expect(testSession.sentEvents('conversation.item.create').map(({ item }) => item)).toEqual([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: '<scene>A flat.</scene>' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Good morning.' }] },
    ]);
    await testSession.session.close();
  });

  it('can be used directly with a client secret for a minute', async () => {
    const { secret, expiresAt } = await realtimeVoiceAt(fake).createClientSecret(
      aRealtimeRequest(),
      new AbortController().signal,
    );
    expect(secret).toMatch(/^ek_/);
    expect(expiresAt.getTime() - Date.now()).toBeGreaterThan(50_000);
    expect(fake.secretRequests).toEqual([
      {
        expires_after: { anchor: 'created_at', seconds: 60 },
        session: expect.objectContaining({ model: 'gpt-realtime-2.1', instructions: expect.stringContaining('Marta') }),
      },
    ]);
  });
});

describe('a realtime session', () => {
  it('exchanges turns with audio, transcripts and usage', async () => {
    fake.script.queueReplies('Good morning!', { text: 'May the first?', audioMs: 300 });
    fake.script.queueTranscripts('Is the room still free?');
    const testSession = await startTestSession(fake);
    testSession.session.speak();
    const ended = await testSession.nextUtterance();
    const [{ itemId } = {}] = testSession.eventsOfType('coachStarted');
    expect(ended).toEqual({
      type: 'coachEnded',
      itemId,
      text: 'Good morning!',
      wasCut: false,
      wantsToEnd: false,
      isOrdered: false,
    });
    const sound = testSession.eventsOfType('coachAudio').reduce((bytes, { pcm }) => bytes + pcm.byteLength, 0);
    expect(sound).toBe(13 * 60 * 48);

    testSession.speakTurn(900);
    await testSession.next('learnerStarted');
    const said = await testSession.next('learnerSaid');
    expect(said.text).toBe('Is the room still free?');
    expect((await testSession.nextUtterance()).text).toBe('May the first?');
    expect(testSession.session.learnerSpeechMs()).toBeGreaterThan(800);
    expect(testSession.eventsOfType('bargeIn')).toEqual([]);
    const usages = testSession.eventsOfType('used').map(({ used }) => used);
    expect(usages.filter(({ use }) => use === 'transcribe')).toEqual([
      { use: 'transcribe', id: said.itemId, seconds: expect.closeTo(1.4, 0), isEstimate: false },
    ]);
    expect(usages.find(({ use }) => use === 'reply')).toEqual({
      use: 'reply',
      id: expect.any(String),
      text: { input: 400, cached: 300, output: 4 },
      audio: { input: 100, cached: 0, output: 16 },
      isEstimate: false,
    });
    await testSession.session.close();
  });

  it("ends an utterance by the player's report or by the clock", async () => {
    const lines: ScriptedReply[] = [
      { text: 'One two three.', audioMs: 1_000 },
      { text: 'Four.', audioMs: 100 },
    ];
    const { testSession, itemId } = await startWithCoachSpeaking(fake, ...lines);
    await testSession.utteranceGenerated();
    testSession.session.reportPlayback({ itemId, audioMs: 990 });
    await testSession.next('coachEnded', 50);
    testSession.session.speak();
    await testSession.next('coachStarted');
    await testSession.next('coachEnded');
    await testSession.session.close();
  });

  it('reports turns in order even when a transcript is late', async () => {
    await fake.close();
    fake = await startRealtimeFake({ transcribeMs: 700 });
    fake.script.queueReplies({ text: 'Yes.', audioMs: 100 });
    const testSession = await startTestSession(fake);
    testSession.speakTurn(900);
    const { itemId } = await testSession.next('coachStarted');
    await testSession.utteranceGenerated();
    testSession.session.reportPlayback({ itemId, audioMs: 100 });
    await testSession.next('coachEnded');
    const order = testSession.events
      .map(({ type }) => type)
      .filter((type) => type === 'learnerSaid' || type === 'coachEnded');
    expect(order).toEqual(['learnerSaid', 'coachEnded']);
    await testSession.session.close();
  });

  it('continues after a turn that was not understood', async () => {
    fake.script.queueTranscripts(null);
    const testSession = await startTestSession(fake);
    testSession.speakTurn(900);
    expect((await testSession.next('learnerSaid')).text).toBeNull();
    await testSession.next('coachStarted');
    await testSession.session.close();
  });

  it('ends after the utterance when the model calls the function', async () => {
    fake.script.queueReplies({ text: 'Goodbye!', audioMs: 200, callsFunction: 'end_lesson' });
    const testSession = await startTestSession(fake);
    testSession.session.speak();
    expect(await testSession.nextUtterance()).toMatchObject({ text: 'Goodbye!', wantsToEnd: true });
    await expect
      .poll(() => testSession.sentEvents('conversation.item.create').at(-1)?.item)
      .toMatchObject({ type: 'function_call_output' });
    await testSession.session.close();
  });

  it('requests a goodbye when the model only called the function', async () => {
    fake.script.queueReplies({ text: '', callsFunction: 'end_lesson' }, { text: 'Goodbye!', audioMs: 200 });
    const testSession = await startTestSession(fake);
    testSession.session.speak();
    expect(await testSession.nextUtterance()).toMatchObject({ text: 'Goodbye!', wantsToEnd: true });
    // The function cannot be called instead of speaking a second time.
    expect(testSession.sentEvents('response.create').map(({ response }) => response?.tool_choice)).toEqual([
      undefined,
      'none',
    ]);
    await testSession.session.close();
  });

  it('fails, so that the coach is called again, when the model calls the function twice and says nothing', async () => {
    const onlyCalls = { text: '', callsFunction: 'end_lesson' };
    fake.script.queueReplies(onlyCalls, onlyCalls);
    const testSession = await startTestSession(fake);
    testSession.session.speak();
    expect((await testSession.next('failed')).failure).toMatchObject({ reason: 'malformed' });
  });

  it('speaks with other instructions after the current utterance', async () => {
    fake.script.queueReplies({ text: 'First.', audioMs: 300 }, { text: 'Goodbye!', audioMs: 100 });
    const testSession = await startTestSession(fake);
    testSession.session.speak();
    await expect.poll(() => testSession.eventsOfType('coachStarted')).toHaveLength(1);
    testSession.session.speak('Say goodbye.');
    expect(await testSession.nextUtterance()).toMatchObject({ text: 'First.', isOrdered: false });
    expect(await testSession.nextUtterance()).toMatchObject({ text: 'Goodbye!', isOrdered: true });
    expect(testSession.sentEvents('response.create').map(({ response }) => response?.instructions)).toEqual([
      undefined,
      'Say goodbye.',
    ]);
    await testSession.session.close();
  });
});

describe('a hold', () => {
  it('keeps the coach from answering and hearing', async () => {
    const testSession = await startTestSession(fake);
    testSession.session.appendAudio(speech(900));
    testSession.session.setOnHold(true);
    // The rest of the sentence is replaced by silence, which ends the turn.
    testSession.session.appendAudio(speech(1_000));
    await testSession.next('learnerSaid');
    testSession.session.appendAudio(speech(1_000));
    testSession.session.appendAudio(silence(1_000));
    await pause(200);
    expect(testSession.sentEvents('response.create')).toEqual([]);
    expect(testSession.eventsOfType('learnerSaid')).toHaveLength(1);
    testSession.session.setOnHold(false);
    await testSession.next('coachStarted');
    await testSession.session.close();
  });

  it.each([
    ['before its first audio', 0],
    ['while it speaks', 60],
  ])('requested %s keeps an utterance until the hold ends', { tags: ['slow'] }, async (_when, afterMs) => {
    const { testSession } = await startWithCoachSpeaking(fake, {
      text: 'See you on Friday.',
      audioMs: 100,
      delayMs: 60 - afterMs,
    });
    testSession.session.setOnHold(true);
    // In a player that plays audio as it arrives, the utterance would have ended.
    await pause(1_300);
    expect(testSession.eventsOfType('coachEnded')).toEqual([]);
    testSession.session.setOnHold(false);
    expect(await testSession.next('coachEnded')).toMatchObject({ text: 'See you on Friday.', wasCut: false });
    await testSession.session.close();
  });

  it('ends when the learner speaks, and both turns get one answer', async () => {
    const testSession = await startTestSession(fake);
    testSession.session.setOnHold(true);
    testSession.session.setOnHold(false);
    testSession.speakTurn(900);
    await testSession.next('coachStarted');
    expect(testSession.sentEvents('response.create')).toHaveLength(1);
    await testSession.session.close();
  });
});

describe('finishing a session', () => {
  it('still transcribes the last turn and does not answer it', async () => {
    await fake.close();
    fake = await startRealtimeFake({ transcribeMs: 300 });
    fake.script.queueTranscripts('And I need the key by Friday.');
    const testSession = await startTestSession(fake);
    testSession.session.appendAudio(speech(900));
    testSession.session.appendAudio(silence(100));
    await testSession.session.finish();
    expect(testSession.eventsOfType('learnerSaid')).toMatchObject([
      { text: 'And I need the key by Friday.', fromMs: 0 },
    ]);
    expect(testSession.sentEvents('response.create')).toEqual([]);
    await testSession.session.close();
  });

  it("reports how much of the coach's utterance was heard", async () => {
    const { testSession, itemId } = await startWithCoachSpeaking(fake, LONG_UTTERANCE);
    await testSession.utteranceGenerated();
    const finished = testSession.session.finish();
    await testSession.next('bargeIn', 50);
    testSession.session.reportPlayback({ itemId, audioMs: 1_000 });
    await finished;
    expect(testSession.eventsOfType('coachEnded')).toMatchObject([{ text: 'The room is on the', wasCut: true }]);
    await testSession.session.close();
  });

  it('does not wait for transcripts that never arrive', { tags: ['slow'] }, async () => {
    await fake.close();
    fake = await startRealtimeFake({ transcribeMs: 60_000 });
    const testSession = await startTestSession(fake);
    testSession.session.appendAudio(speech(900));
    const beganAt = performance.now();
    await testSession.session.finish();
    expect(performance.now() - beganAt).toBeLessThan(10_000);
    expect(testSession.eventsOfType('learnerSaid')).toMatchObject([{ text: null }]);
    await testSession.session.close();
  });
});
