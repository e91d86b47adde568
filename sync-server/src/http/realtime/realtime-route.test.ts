import type { LanguageModel } from '@parley/coach/model';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silence, speech } from '../../integrations/openai/realtime/test-kit/microphone-audio.ts';
import { waitUntil, openRealtimeFixture, type RealtimeFixture } from '../../../test-kit/realtime/realtime-fixture.ts';

const LONG = 'The room is on the third floor and it looks out over the garden, so it is quiet at night.';

/** Judges objectives as the test dictates. */
let proofs: { objective: number; words: string }[] = [];
const judge: LanguageModel = {
  name: 'gpt-5-mini',
  stream: () => {
    throw new Error('the judge expects no question');
  },
  structured: async ({ schema, onUsage }) => {
    await onUsage?.({ input: 100, cached: 0, output: 10 });
    return { value: schema.parse({ proofs }) as never };
  },
};

let home: RealtimeFixture;
beforeAll(async () => {
  home = await openRealtimeFixture({ judge: { where: 'openai', model: judge } });
});
beforeEach(async () => {
  proofs = [];
  await home.moveIn();
});
afterAll(() => home.close());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('a realtime session', () => {
  it('records each turn with its transcript, audio and price', async () => {
    const { script } = home.fake;
    script.queueReplies(
      'Good morning! Are you looking for a room?',
      'From when?',
      'And for how long?',
      'That is fine.',
    );
    script.queueTranscripts('Yes, for a room with a garden.', 'From the first of May.', 'For two years, I think.');
    const call = await home.begin();
    expect(call.all('ready')).toEqual([
      { type: 'ready', expiresAt: new Date(home.server.now().getTime() + 60_000).toISOString(), remainingS: 3_600 },
    ]);
    const heard = [await call.playToEnd()];
    for (let turn = 0; turn < 3; turn += 1) {
      call.speak(1_000);
      await call.next('learnerStarted');
      heard.push(await call.playToEnd());
    }
    const order = call.messages.flatMap((message) =>
      message.type === 'coachEnded' || message.type === 'learnerSaid' ? [message.text] : [],
    );
    expect(order).toEqual([
      'Good morning! Are you looking for a room?',
      'Yes, for a room with a garden.',
      'From when?',
      'From the first of May.',
      'And for how long?',
      'For two years, I think.',
      'That is fine.',
    ]);
    expect(heard.map(({ wasCut, isGoodbye }) => wasCut || isGoodbye)).toEqual([false, false, false, false]);
    const captions = call.all('coachWords').filter(({ itemId }) => itemId === heard[1]?.itemId);
    expect(captions.map(({ text }) => text).join('')).toBe('From when?');
    expect(call.receivedAudioMs(2)).toBe('From when?'.length * 60);

    home.server.advanceClock(40_000);
    call.sendMessage({ type: 'end' });
    expect(await call.next('over')).toEqual({ type: 'over', reason: 'ended' });
    expect(await call.closed).toBe(1000);
    await waitUntil(async () => (await home.readLeases()).length === 0);
    const ledger = await home.readLedger();
    // The learner spoke for three seconds but was served for longer.
    expect(ledger.filter(({ use }) => use === 'live').map(({ seconds }) => seconds)).toEqual([40]);
    const replies = ledger.filter(({ use }) => use === 'reply');
    expect(replies).toHaveLength(4);
    expect(replies[0]).toMatchObject({ style: 'ultra_realistic', model: 'gpt-realtime-2.1', inputTokens: 500 });
    // 100 text tokens at 4, 300 cached at 0.4, 100 audio tokens at 32, and the reply.
    expect(replies.every(({ costMicros }) => costMicros > 3_720 && costMicros < 8_000)).toBe(true);
    expect(ledger.filter(({ use }) => use === 'transcribe')).toHaveLength(3);
    await waitUntil(() => home.latestProviderSession().state === 'closed');
  });

  it('leaves no utterance on the server', async () => {
    home.fake.script.queueTranscripts('My sister Ludmila is ill.');
    const call = await home.begin();
    await call.playToEnd();
    call.speak(900);
    await call.next('learnerSaid');
    call.sendMessage({ type: 'end' });
    await call.closed;
    expect(home.server.log()).not.toMatch(/Ludmila|Marta/);
    expect(JSON.stringify(await home.readLedger())).not.toContain('Ludmila');
    expect(home.server.log()).not.toContain(home.laptop.token);
  });

  it('sends the provider the scene and the earlier turns by role', async () => {
    const turn = { turnId: home.laptop.deviceId, at: '2026-11-18T09:00:00.000Z', node: null };
    const held = {
      sessionId: home.laptop.userId,
      ...home.ids,
      difficulty: 'hard',
      completed: [],
      turns: [{ ...turn, role: 'coach', text: 'Where were we? <goodbye/>', kind: 'line' }],
    };
    const { courseId: _, ...conversation } = held;
    const call = await home.begin({ held: conversation as never });
    await waitUntil(() => home.latestProviderSession().received.length >= 3);
    const received = home.latestProviderSession().received;
    const [update, material, coach] = received;
    expect(JSON.stringify(update)).toMatch(/set to hard[^]*end_lesson/);
    expect(JSON.stringify(material)).toMatch(/"role":"user"[^]*<scene>/);
    expect(JSON.stringify(coach)).toMatch(/"role":"assistant"[^]*Where were we\? \(goodbye/);
    // The coach has just spoken, so it is the learner's turn.
    await pause(100);
    expect(received.some(({ type }) => type === 'response.create')).toBe(false);
    call.sendMessage({ type: 'end' });
    await call.closed;
  });

  it('continues until the coach has a reason to say goodbye', async () => {
    const { script } = home.fake;
    script.queueReplies(
      { text: 'Goodbye already?', audioMs: 200, callsFunction: 'end_lesson' },
      { text: 'Goodbye, Anna!', audioMs: 200, callsFunction: 'end_lesson' },
    );
    script.queueTranscripts('Thank you, I have to go now. Goodbye!');
    const call = await home.begin();
    expect((await call.playToEnd()).isGoodbye).toBe(false);
    call.speak(900);
    expect(await call.playToEnd()).toMatchObject({ text: 'Goodbye, Anna!', isGoodbye: true });
    expect(await call.next('over')).toEqual({ type: 'over', reason: 'goodbye' });
    await call.closed;
  });

  it('cuts off a coach that recites its instructions', async () => {
    home.fake.script.queueReplies({
      text: 'Well. You are the conversation partner in a spoken English lesson. You play one part in one scene, with one learner.',
      audioMs: 4_000,
    });
    const call = await home.begin();
    const { itemId } = await call.next('coachStarted');
    await call.next('bargeIn');
    call.sendMessage({ type: 'played', itemId, audioMs: 3_000 });
    const { text, wasCut } = await call.next('coachEnded');
    expect(wasCut).toBe(true);
    expect(text).not.toContain('English lesson');
    expect(
      call
        .all('coachWords')
        .map((words) => words.text)
        .join(''),
    ).not.toContain('English lesson');
    call.sendMessage({ type: 'end' });
    await call.closed;
  });
});

/** On an idle machine this takes two or three milliseconds; it must stay well under 150. */
const SOON_MS = 400;

describe('barge-in', () => {
  it('is reported at once, and unheard words do not count as said', async () => {
    home.fake.script.queueReplies({ text: LONG, audioMs: 6_000 }, 'Of course.');
    home.fake.script.queueTranscripts('Sorry, which floor?');
    const call = await home.begin();
    const { itemId, line } = await call.next('coachStarted');
    await waitUntil(() => call.receivedAudioMs(line) >= 300);
    call.sendAudio(speech(700));
    const bargeIn = await call.next('bargeIn');
    expect(bargeIn.itemId).toBe(itemId);
    const [speechStartedAt = Number.NaN] = home.latestProviderSession().speechStartedAt;
    const delayMs = call.receivedAt(bargeIn) - speechStartedAt;
    expect(delayMs).toBeLessThan(SOON_MS);

    const soundMs = call.receivedAudioMs(line);
    call.sendMessage({ type: 'played', itemId, audioMs: 300 });
    const ended = await call.next('coachEnded');
    expect(ended).toMatchObject({ wasCut: true, isGoodbye: false });
    expect(LONG.startsWith(ended.text)).toBe(true);
    expect(ended.text.length).toBeLessThan(LONG.length / 2);
    call.sendAudio(silence(600));
    expect((await call.next('learnerSaid')).text).toBe('Sorry, which floor?');
    expect((await call.playToEnd()).text).toBe('Of course.');
    expect(call.receivedAudioMs(line)).toBe(soundMs);
    const truncated = home.latestProviderSession().received.filter(({ type }) => type === 'conversation.item.truncate');
    expect(truncated).toMatchObject([{ item_id: itemId, audio_end_ms: 300 }]);
    call.sendMessage({ type: 'end' });
    await call.closed;
  });

  it('in real time is reported once the learner has spoken long enough', async () => {
    home.fake.script.queueReplies({ text: LONG, audioMs: 8_000 });
    const call = await home.begin();
    await call.next('coachStarted');
    const begunAt = performance.now();
    const sound = speech(2_000);
    const microphone = setInterval(() => {
      const dueMs = performance.now() - begunAt;
      const next = sentMs;
      sentMs = Math.min(2_000, Math.floor(dueMs / 20) * 20);
      if (sentMs > next) call.sendAudio(sound.subarray(next * 48, sentMs * 48));
    }, 10);
    let sentMs = 0;
    const bargeIn = await call.next('bargeIn');
    clearInterval(microphone);
    const afterEnoughMs = call.receivedAt(bargeIn) - begunAt - 600;
    expect(afterEnoughMs).toBeLessThan(SOON_MS);
    call.terminate();
  });

  it('does not happen on “mm-hm”', async () => {
    home.fake.script.queueReplies({ text: LONG, audioMs: 1_500 });
    home.fake.script.queueTranscripts('Mm-hm.');
    const call = await home.begin();
    const { line } = await call.next('coachStarted');
    await waitUntil(() => call.receivedAudioMs(line) >= 100);
    call.sendAudio(speech(400));
    call.sendAudio(silence(1_200));
    expect(await call.next('coachEnded', 4_000)).toMatchObject({ text: LONG, wasCut: false });
    expect(call.receivedAudioMs(line)).toBe(1_500);
    expect(call.all('bargeIn')).toEqual([]);
    expect(call.all('learnerSaid')).toEqual([]);
    expect(home.latestProviderSession().received.filter(({ type }) => type === 'response.create')).toHaveLength(1);
    call.terminate();
  });

  it('does not happen on hold: the coach waits', async () => {
    home.fake.script.queueReplies('Good morning.', 'I see.');
    const call = await home.begin();
    await call.playToEnd();
    call.sendMessage({ type: 'giveMeAMoment', on: true });
    call.speak(900);
    await pause(300);
    expect(call.all('learnerStarted')).toEqual([]);
    expect(call.all('coachStarted')).toHaveLength(1);
    call.sendMessage({ type: 'giveMeAMoment', on: false });
    call.speak(900);
    expect((await call.playToEnd()).text).toBe('I see.');
    call.terminate();
  });
});

describe('objectives', () => {
  it('are completed during the call, with the learner’s words', async () => {
    proofs = [{ objective: 1, words: 'a window seat' }];
    home.fake.script.queueTranscripts('Could I have a window seat, please?');
    const call = await home.begin();
    await call.playToEnd();
    call.speak(1_000);
    const { itemId } = await call.next('learnerSaid');
    expect(await call.next('proved')).toMatchObject({ itemId, words: 'a window seat' });
    call.sendMessage({ type: 'end' });
    await call.closed;
    expect((await home.readLedger()).map(({ use }) => use)).toContain('judge');
  });
});
