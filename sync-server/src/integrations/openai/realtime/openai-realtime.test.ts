import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silence, speech } from './test-kit/sound.ts';
import { agreeAndGoOn, aWish, coachSpeaking, LONG_LINE, talkWith, voiceAt } from './test-kit/talk.ts';
import { type RealtimeTwin, startRealtimeTwin, type TwinLine } from './twin/index.ts';

let twin: RealtimeTwin;
beforeEach(async () => {
  twin = await startRealtimeTwin();
});
afterEach(() => twin.close());

describe('a session', () => {
  it('is set up so that we decide who may speak, in the coach’s voice', async () => {
    const talk = await talkWith(twin, { patienceMs: 2_000 });
    expect(talk.twin.model).toBe('gpt-realtime-2.1');
    expect(talk.sent('session.update')).toEqual([
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
    await talk.session.close();
  });

  it('feels the end of a turn by what was said where the learner has no patience of their own', async () => {
    const talk = await talkWith(twin, { patienceMs: null });
    const [update] = talk.sent('session.update');
    expect(update?.session).toMatchObject({
      audio: { input: { turn_detection: { type: 'semantic_vad', create_response: false, interrupt_response: false } } },
    });
    await talk.session.close();
  });

  it('is told what was said before, by whom', async () => {
    const messages = [
      { role: 'learner', text: '<scene>A flat.</scene>' },
      { role: 'coach', text: 'Good morning.' },
    ] as const;
    const talk = await talkWith(twin, { messages });
    await pause(30);
    expect(talk.sent('conversation.item.create').map(({ item }) => item)).toEqual([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: '<scene>A flat.</scene>' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Good morning.' }] },
    ]);
    await talk.session.close();
  });

  it('can be spoken with directly, by a secret that holds for a minute', async () => {
    const { secret, expiresAt } = await voiceAt(twin).mintSecret(aWish(), new AbortController().signal);
    expect(secret).toMatch(/^ek_/);
    expect(expiresAt.getTime() - Date.now()).toBeGreaterThan(50_000);
    expect(twin.secretsAsked).toEqual([
      {
        expires_after: { anchor: 'created_at', seconds: 60 },
        session: expect.objectContaining({ model: 'gpt-realtime-2.1', instructions: expect.stringContaining('Marta') }),
      },
    ]);
  });
});

describe('a conversation', () => {
  it('goes to and fro, with sound, words and what it cost', async () => {
    twin.script.says('Good morning!', { text: 'May the first?', audioMs: 300 });
    twin.script.hears('Is the room still free?');
    const talk = await talkWith(twin);
    talk.session.speak();
    const ended = await talk.nextLine();
    const [{ itemId } = {}] = talk.all('coachStarted');
    expect(ended).toEqual({
      type: 'coachEnded',
      itemId,
      text: 'Good morning!',
      wasCut: false,
      wantsToEnd: false,
      isOrdered: false,
    });
    const sound = talk.all('coachAudio').reduce((bytes, { pcm }) => bytes + pcm.byteLength, 0);
    expect(sound).toBe(13 * 60 * 48);

    talk.say(900);
    await talk.next('learnerStarted');
    const said = await talk.next('learnerSaid');
    expect(said.text).toBe('Is the room still free?');
    expect((await talk.nextLine()).text).toBe('May the first?');
    expect(talk.session.spokenMs()).toBeGreaterThan(800);
    expect(talk.all('bargeIn')).toEqual([]);
    const uses = talk.all('used').map(({ used }) => used);
    expect(uses.filter(({ use }) => use === 'transcribe')).toEqual([
      { use: 'transcribe', id: said.itemId, seconds: expect.closeTo(1.4, 0), isEstimate: false },
    ]);
    expect(uses.find(({ use }) => use === 'reply')).toEqual({
      use: 'reply',
      id: expect.any(String),
      text: { input: 400, cached: 300, output: 4 },
      audio: { input: 100, cached: 0, output: 16 },
      isEstimate: false,
    });
    await talk.session.close();
  });

  it('ends a line when the player says that it was heard, and by the clock where it does not', async () => {
    const lines: TwinLine[] = [
      { text: 'One two three.', audioMs: 1_000 },
      { text: 'Four.', audioMs: 100 },
    ];
    const { talk, itemId } = await coachSpeaking(twin, ...lines);
    await pause(400);
    talk.session.played({ itemId, audioMs: 990 });
    await talk.next('coachEnded', 50);
    talk.session.speak();
    await talk.next('coachStarted');
    await talk.next('coachEnded', 1_500);
    await talk.session.close();
  });

  it('tells turns in their order, though the answer begins before a turn is written down', async () => {
    await twin.close();
    twin = await startRealtimeTwin({ transcribeMs: 700 });
    twin.script.says({ text: 'Yes.', audioMs: 100 });
    const talk = await talkWith(twin);
    talk.say(900);
    const { itemId } = await talk.next('coachStarted');
    await pause(200);
    talk.session.played({ itemId, audioMs: 100 });
    await talk.next('coachEnded');
    const order = talk.events.map(({ type }) => type).filter((type) => type === 'learnerSaid' || type === 'coachEnded');
    expect(order).toEqual(['learnerSaid', 'coachEnded']);
    await talk.session.close();
  });

  it('goes on where a turn was not understood', async () => {
    twin.script.hears(null);
    const talk = await talkWith(twin);
    talk.say(900);
    expect((await talk.next('learnerSaid')).text).toBeNull();
    await talk.next('coachStarted');
    await talk.session.close();
  });

  it('takes a call of the function as a wish to end, after the line was heard', async () => {
    twin.script.says({ text: 'Goodbye!', audioMs: 200, calls: 'end_lesson' });
    const talk = await talkWith(twin);
    talk.session.speak();
    expect(await talk.nextLine()).toMatchObject({ text: 'Goodbye!', wantsToEnd: true });
    await pause(30);
    expect(talk.sent('conversation.item.create').at(-1)?.item).toMatchObject({ type: 'function_call_output' });
    await talk.session.close();
  });

  it('asks for the goodbye itself where the model only called the function', async () => {
    twin.script.says({ text: '', calls: 'end_lesson' }, { text: 'Goodbye!', audioMs: 200 });
    const talk = await talkWith(twin);
    talk.session.speak();
    expect(await talk.nextLine()).toMatchObject({ text: 'Goodbye!', wantsToEnd: true });
    await talk.session.close();
  });

  it('lets the coach speak by other instructions, when it has finished', async () => {
    twin.script.says({ text: 'First.', audioMs: 300 }, { text: 'Goodbye!', audioMs: 100 });
    const talk = await talkWith(twin);
    talk.session.speak();
    while (talk.all('coachStarted').length === 0) await pause(5);
    talk.session.speak('Say goodbye.');
    expect(await talk.nextLine()).toMatchObject({ text: 'First.', isOrdered: false });
    expect(await talk.nextLine()).toMatchObject({ text: 'Goodbye!', isOrdered: true });
    expect(talk.sent('response.create').map(({ response }) => response?.instructions)).toEqual([
      undefined,
      'Say goodbye.',
    ]);
    await talk.session.close();
  });
});

describe('the learner breaks in', () => {
  it('and the coach stops, having said what was heard and no more', async () => {
    twin.script.hears('Sorry, which floor was it?');
    const { talk, itemId } = await coachSpeaking(twin, LONG_LINE, { text: 'Of course.', audioMs: 200 });
    await pause(400);
    talk.session.hear(speech(700));
    expect(await talk.next('bargeIn')).toEqual({ type: 'bargeIn', itemId });
    const soundAtCut = talk.all('coachAudio').length;
    talk.session.played({ itemId, audioMs: 300 });
    const ended = await talk.next('coachEnded');
    expect(ended.wasCut).toBe(true);
    expect(ended.text).not.toBe('');
    expect(LONG_LINE.text.startsWith(ended.text)).toBe(true);
    expect(ended.text.length).toBeLessThan(LONG_LINE.text.length / 2);
    talk.session.hear(speech(600));
    talk.session.hear(silence(700));
    expect((await talk.next('learnerSaid')).text).toBe('Sorry, which floor was it?');
    expect((await talk.nextLine()).text).toBe('Of course.');
    expect(talk.all('coachAudio').filter((sound) => sound.itemId === itemId)).toHaveLength(soundAtCut);
    expect(talk.sent('response.cancel')).toHaveLength(1);
    expect(talk.sent('conversation.item.truncate')).toMatchObject([
      { item_id: itemId, content_index: 0, audio_end_ms: 300 },
    ]);
    await talk.session.close();
  });

  it('also when all of the line was made and only its playing is cut', async () => {
    await twin.close();
    twin = await startRealtimeTwin({ speed: 100 });
    const startMs = performance.now();
    const { talk, itemId } = await coachSpeaking(twin, LONG_LINE);
    await talk.lineIsMade();
    await pause(200);
    talk.session.hear(speech(700));
    await talk.next('bargeIn');
    // The player says nothing: then it is reckoned by the clock.
    const ended = await talk.next('coachEnded');
    expect(ended.wasCut).toBe(true);
    await pause(30);
    expect(talk.sent('response.cancel')).toEqual([]);
    const [truncated] = talk.sent('conversation.item.truncate');
    expect(truncated?.item_id).toBe(itemId);
    expect(truncated?.audio_end_ms).toBeGreaterThan(100);
    expect(truncated?.audio_end_ms).toBeLessThan(Math.min(LONG_LINE.audioMs, performance.now() - startMs));
    await talk.session.close();
  });

  it('with one word, when that word is no agreement', async () => {
    twin.script.hears('Stop!');
    const { talk } = await coachSpeaking(twin, LONG_LINE);
    talk.session.hear(speech(350));
    talk.session.hear(silence(340));
    await talk.next('bargeIn', 300);
    expect((await talk.next('learnerSaid')).text).toBe('Stop!');
    expect(talk.sent('input_audio_buffer.commit')).toHaveLength(1);
    await talk.session.close();
  });

  it('before the coach made a sound: then it never says what it was about to', async () => {
    twin.script.says({ text: 'Unheard.', audioMs: 5_000, thinksMs: 300 }, { text: 'Heard.', audioMs: 100 });
    const talk = await talkWith(twin);
    talk.session.hear(speech(800));
    talk.session.hear(silence(420));
    // The answer was asked for, and the learner goes on with their sentence at once.
    await talk.next('learnerStarted');
    await pause(100);
    talk.session.hear(speech(900));
    talk.session.hear(silence(420));
    expect((await talk.nextLine()).text).toBe('Heard.');
    await talk.session.close();
  });

  it.each(['Mm-hm.', 'Yeah, right.', ''])('but “%s” does not stop the coach, nor ask it anything', async (words) => {
    twin.script.hears(words);
    const { talk } = await coachSpeaking(twin, { ...LONG_LINE, audioMs: 1_600 });
    await pause(100);
    talk.session.hear(speech(420));
    talk.session.hear(silence(1_500));
    expect(await talk.next('coachEnded', 4_000)).toMatchObject({ text: LONG_LINE.text, wasCut: false });
    await pause(300);
    expect(talk.all('bargeIn')).toEqual([]);
    expect(talk.all('learnerStarted')).toEqual([]);
    expect(talk.all('learnerSaid')).toEqual([]);
    expect(talk.sent('response.create')).toHaveLength(1);
    // Both the sound and the silence that the provider took for its rest.
    expect(talk.sent('conversation.item.delete').length).toBeGreaterThanOrEqual(1);
    expect(talk.session.spokenMs()).toBe(0);
    await talk.session.close();
  });

  it.each([0, 100])('after agreement that turned into a sentence, heard %i ms later', async (laterMs) => {
    twin.script.hears('Yeah.', 'But I wanted the second floor.');
    const { talk } = await coachSpeaking(twin, LONG_LINE, { text: 'I see.', audioMs: 100 });
    await agreeAndGoOn(talk, { agreeMs: 350, laterMs });
    if (laterMs === 0) expect((await talk.next('learnerSaid')).text).toBe('Yeah.');
    expect((await talk.next('learnerSaid')).text).toBe('But I wanted the second floor.');
    expect((await talk.next('coachEnded')).wasCut).toBe(true);
    expect((await talk.nextLine()).text).toBe('I see.');
    expect(talk.sent('response.create')).toHaveLength(2);
    await talk.session.close();
  });

  it('as long as the coach waits silently to hear whether it was meant; else it goes on, and is over that much later', async () => {
    twin.script.hears('Mm-hm.', 'Excuse me.');
    const { talk, itemId } = await coachSpeaking(twin, { ...LONG_LINE, audioMs: 900 }, LONG_LINE);
    await pause(200);
    talk.session.played({ itemId, audioMs: 200, isHeld: true });
    // By the clock it would have been over long ago.
    await pause(2_000);
    expect(talk.all('coachEnded')).toEqual([]);
    const goesOnAtMs = performance.now();
    talk.session.played({ itemId, audioMs: 200 });
    expect(await talk.next('coachEnded')).toMatchObject({ text: LONG_LINE.text, wasCut: false });
    expect(performance.now() - goesOnAtMs).toBeGreaterThan(700);

    talk.session.speak();
    const { itemId: second } = await talk.next('coachStarted');
    await pause(200);
    talk.session.played({ itemId: second, audioMs: 150, isHeld: true });
    talk.session.hear(speech(900));
    await talk.next('bargeIn');
    // This player does not say where it stopped: where it was silent is known.
    await talk.next('coachEnded');
    await pause(50);
    expect(talk.sent('conversation.item.truncate')).toMatchObject([{ item_id: second, audio_end_ms: 150 }]);
    await talk.session.close();
  });

  it('not at all who says “yes” in its last moment: that is an answer', async () => {
    twin.script.hears('Yes.');
    const { talk } = await coachSpeaking(twin, { text: 'Shall we?', audioMs: 500 }, { text: 'Good.', audioMs: 100 });
    await pause(300);
    talk.say(350);
    expect((await talk.next('learnerSaid')).text).toBe('Yes.');
    expect(talk.all('bargeIn')).toEqual([]);
    await talk.next('coachStarted');
    await talk.session.close();
  });
});

describe('give me a moment', () => {
  it('keeps the coach from answering, and from hearing', async () => {
    const talk = await talkWith(twin);
    talk.session.hear(speech(900));
    talk.session.giveMeAMoment(true);
    // The rest of the sentence is not for the coach, but the sentence has an end.
    talk.session.hear(speech(1_000));
    await talk.next('learnerSaid');
    talk.session.hear(speech(1_000));
    talk.session.hear(silence(1_000));
    await pause(200);
    expect(talk.sent('response.create')).toEqual([]);
    expect(talk.all('learnerSaid')).toHaveLength(1);
    talk.session.giveMeAMoment(false);
    await talk.next('coachStarted', 2_500);
    await talk.session.close();
  });

  it.each([
    ['before its first sound', 0],
    ['while it speaks', 60],
  ])('keeps a line that was asked for %s, until the learner wants to hear it', async (_when, afterMs) => {
    const { talk } = await coachSpeaking(twin, { text: 'See you on Friday.', audioMs: 100, thinksMs: 60 - afterMs });
    talk.session.giveMeAMoment(true);
    // By the clock of whoever plays a line as soon as it comes, it would be over.
    await pause(1_300);
    expect(talk.all('coachEnded')).toEqual([]);
    talk.session.giveMeAMoment(false);
    expect(await talk.next('coachEnded', 1_500)).toMatchObject({ text: 'See you on Friday.', wasCut: false });
    await talk.session.close();
  });

  it('is over when the learner speaks again: then both are answered at once', async () => {
    const talk = await talkWith(twin);
    talk.session.giveMeAMoment(true);
    talk.session.giveMeAMoment(false);
    talk.say(900);
    await talk.next('coachStarted', 700);
    expect(talk.sent('response.create')).toHaveLength(1);
    await talk.session.close();
  });
});

describe('who finishes', () => {
  it('is still understood in what they said last, and not answered', async () => {
    await twin.close();
    twin = await startRealtimeTwin({ transcribeMs: 300 });
    twin.script.hears('And I need the key by Friday.');
    const talk = await talkWith(twin);
    talk.session.hear(speech(900));
    talk.session.hear(silence(100));
    await talk.session.finish();
    expect(talk.all('learnerSaid')).toMatchObject([{ text: 'And I need the key by Friday.', fromMs: 0 }]);
    expect(talk.sent('response.create')).toEqual([]);
    await talk.session.close();
  });

  it('has heard of the coach what was played until then', async () => {
    const { talk, itemId } = await coachSpeaking(twin, LONG_LINE);
    await talk.lineIsMade();
    const finished = talk.session.finish();
    await talk.next('bargeIn', 50);
    talk.session.played({ itemId, audioMs: 1_000 });
    await finished;
    expect(talk.all('coachEnded')).toMatchObject([{ text: 'The room is on the', wasCut: true }]);
    await talk.session.close();
  });

  it('does not wait for words that do not come', async () => {
    await twin.close();
    twin = await startRealtimeTwin({ transcribeMs: 60_000 });
    const talk = await talkWith(twin);
    talk.session.hear(speech(900));
    const beganAt = performance.now();
    await talk.session.finish();
    expect(performance.now() - beganAt).toBeLessThan(3_500);
    expect(talk.all('learnerSaid')).toMatchObject([{ text: null }]);
    await talk.session.close();
  });
});
