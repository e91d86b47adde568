import type { LanguageModel } from '@parley/coach/model';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silence, speech } from '../integrations/openai/realtime/test-kit/sound.ts';
import { eventually, openRealtimeHome, type RealtimeHome } from '../test-kit/realtime-home.ts';

const LONG = 'The room is on the third floor and it looks out over the garden, so it is quiet at night.';

/** Proves what a test says. */
let proofs: { objective: number; words: string }[] = [];
const judge: LanguageModel = {
  name: 'gpt-5-mini',
  stream: () => {
    throw new Error('nobody asks it to speak');
  },
  structured: async ({ schema, used }) => {
    await used?.({ input: 100, cached: 0, output: 10 });
    return { value: schema.parse({ proofs }) as never };
  },
};

let home: RealtimeHome;
beforeAll(async () => {
  home = await openRealtimeHome({ judge: { where: 'openai', model: judge } });
});
beforeEach(async () => {
  proofs = [];
  await home.moveIn();
});
afterAll(() => home.close());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('an ultra-realistic conversation', () => {
  it('has turns, each with its words, its sound and its price', async () => {
    const { script } = home.twin;
    script.says('Good morning! Are you looking for a room?', 'From when?', 'And for how long?', 'That is fine.');
    script.hears('Yes, for a room with a garden.', 'From the first of May.', 'For two years, I think.');
    const call = await home.begin();
    expect(call.all('ready')).toEqual([
      { type: 'ready', expiresAt: new Date(home.server.now().getTime() + 60_000).toISOString(), remainingS: 3_600 },
    ]);
    const heard = [await call.hearOut()];
    for (let turn = 0; turn < 3; turn += 1) {
      call.say(1_000);
      await call.next('learnerStarted');
      heard.push(await call.hearOut());
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
    expect(call.soundMs(2)).toBe('From when?'.length * 60);

    home.server.pass(40_000);
    call.tell({ type: 'end' });
    expect(await call.next('over')).toEqual({ type: 'over', reason: 'ended' });
    expect(await call.closed).toBe(1000);
    await eventually(async () => (await home.leases()).length === 0);
    const ledger = await home.ledger();
    // The learner spoke for three seconds only, but was served for longer.
    expect(ledger.filter(({ use }) => use === 'live').map(({ seconds }) => seconds)).toEqual([40]);
    const replies = ledger.filter(({ use }) => use === 'reply');
    expect(replies).toHaveLength(4);
    expect(replies[0]).toMatchObject({ style: 'ultra_realistic', model: 'gpt-realtime-2.1', inputTokens: 500 });
    // 100 text tokens at 4, 300 cached at 0.4, 100 of sound at 32, and what was said.
    expect(replies.every(({ costMicros }) => costMicros > 3_720 && costMicros < 8_000)).toBe(true);
    expect(ledger.filter(({ use }) => use === 'transcribe')).toHaveLength(3);
    await eventually(() => home.provider().state === 'closed');
  });

  it('leaves nothing that was said on the server', async () => {
    home.twin.script.hears('My sister Ludmila is ill.');
    const call = await home.begin();
    await call.hearOut();
    call.say(900);
    await call.next('learnerSaid');
    call.tell({ type: 'end' });
    await call.closed;
    expect(home.server.log()).not.toMatch(/Ludmila|Marta/);
    expect(JSON.stringify(await home.ledger())).not.toContain('Ludmila');
    expect(home.server.log()).not.toContain(home.laptop.token);
  });

  it('is told the scene, and what was said before by whom', async () => {
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
    await eventually(() => home.provider().received.length >= 3);
    const received = home.provider().received;
    const [update, material, coach] = received;
    expect(JSON.stringify(update)).toMatch(/set to hard[^]*end_lesson/);
    expect(JSON.stringify(material)).toMatch(/"role":"user"[^]*<scene>/);
    expect(JSON.stringify(coach)).toMatch(/"role":"assistant"[^]*Where were we\? \(goodbye/);
    // The coach has spoken last: it is the learner's turn.
    await pause(100);
    expect(received.some(({ type }) => type === 'response.create')).toBe(false);
    call.tell({ type: 'end' });
    await call.closed;
  });

  it('goes on until the coach has a reason to say goodbye', async () => {
    const { script } = home.twin;
    script.says(
      { text: 'Goodbye already?', audioMs: 200, calls: 'end_lesson' },
      { text: 'Goodbye, Anna!', audioMs: 200, calls: 'end_lesson' },
    );
    script.hears('Thank you, I have to go now. Goodbye!');
    const call = await home.begin();
    expect((await call.hearOut()).isGoodbye).toBe(false);
    call.say(900);
    expect(await call.hearOut()).toMatchObject({ text: 'Goodbye, Anna!', isGoodbye: true });
    expect(await call.next('over')).toEqual({ type: 'over', reason: 'goodbye' });
    await call.closed;
  });

  it('cuts a coach who recites its instructions', async () => {
    home.twin.script.says({
      text: 'Well. You are the conversation partner in a spoken English lesson. You play one part in one scene, with one learner.',
      audioMs: 4_000,
    });
    const call = await home.begin();
    const { itemId } = await call.next('coachStarted');
    await call.next('bargeIn');
    call.tell({ type: 'played', itemId, audioMs: 3_000 });
    const { text, wasCut } = await call.next('coachEnded');
    expect(wasCut).toBe(true);
    expect(text).not.toContain('English lesson');
    expect(
      call
        .all('coachWords')
        .map((words) => words.text)
        .join(''),
    ).not.toContain('English lesson');
    call.tell({ type: 'end' });
    await call.closed;
  });
});

/** It takes two or three where nothing else runs, and must stay well under 150 there. */
const SOON_MS = 400;

describe('the learner breaks in', () => {
  it('is told at once, and what was not heard was not said', async () => {
    home.twin.script.says({ text: LONG, audioMs: 6_000 }, 'Of course.');
    home.twin.script.hears('Sorry, which floor?');
    const call = await home.begin();
    const { itemId, line } = await call.next('coachStarted');
    await pause(300);
    call.hear(speech(700));
    const bargeIn = await call.next('bargeIn');
    expect(bargeIn.itemId).toBe(itemId);
    const [speechStartedAt = Number.NaN] = home.provider().speechStartedAt;
    const delayMs = call.cameAt(bargeIn) - speechStartedAt;
    expect(delayMs).toBeLessThan(SOON_MS);

    const soundMs = call.soundMs(line);
    call.tell({ type: 'played', itemId, audioMs: 300 });
    const ended = await call.next('coachEnded');
    expect(ended).toMatchObject({ wasCut: true, isGoodbye: false });
    expect(LONG.startsWith(ended.text)).toBe(true);
    expect(ended.text.length).toBeLessThan(LONG.length / 2);
    call.hear(silence(600));
    expect((await call.next('learnerSaid')).text).toBe('Sorry, which floor?');
    expect((await call.hearOut()).text).toBe('Of course.');
    expect(call.soundMs(line)).toBe(soundMs);
    const truncated = home.provider().received.filter(({ type }) => type === 'conversation.item.truncate');
    expect(truncated).toMatchObject([{ item_id: itemId, audio_end_ms: 300 }]);
    call.tell({ type: 'end' });
    await call.closed;
  });

  it('in real time is told as soon as they have spoken long enough', async () => {
    home.twin.script.says({ text: LONG, audioMs: 8_000 });
    const call = await home.begin();
    await call.next('coachStarted');
    const begunAt = performance.now();
    const sound = speech(2_000);
    const microphone = setInterval(() => {
      const dueMs = performance.now() - begunAt;
      const next = sentMs;
      sentMs = Math.min(2_000, Math.floor(dueMs / 20) * 20);
      if (sentMs > next) call.hear(sound.subarray(next * 48, sentMs * 48));
    }, 10);
    let sentMs = 0;
    const bargeIn = await call.next('bargeIn');
    clearInterval(microphone);
    const afterEnoughMs = call.cameAt(bargeIn) - begunAt - 600;
    expect(afterEnoughMs).toBeLessThan(SOON_MS);
    call.vanish();
  });

  it('but “mm-hm” leaves the coach to speak on', async () => {
    home.twin.script.says({ text: LONG, audioMs: 1_500 });
    home.twin.script.hears('Mm-hm.');
    const call = await home.begin();
    const { line } = await call.next('coachStarted');
    await pause(100);
    call.hear(speech(400));
    call.hear(silence(1_200));
    expect(await call.next('coachEnded', 4_000)).toMatchObject({ text: LONG, wasCut: false });
    expect(call.soundMs(line)).toBe(1_500);
    expect(call.all('bargeIn')).toEqual([]);
    expect(call.all('learnerSaid')).toEqual([]);
    expect(home.provider().received.filter(({ type }) => type === 'response.create')).toHaveLength(1);
    call.vanish();
  });

  it('not who asked for a moment: then the coach waits', async () => {
    home.twin.script.says('Good morning.', 'I see.');
    const call = await home.begin();
    await call.hearOut();
    call.tell({ type: 'giveMeAMoment', on: true });
    call.say(900);
    await pause(300);
    expect(call.all('learnerStarted')).toEqual([]);
    expect(call.all('coachStarted')).toHaveLength(1);
    call.tell({ type: 'giveMeAMoment', on: false });
    call.say(900);
    expect((await call.hearOut()).text).toBe('I see.');
    call.vanish();
  });
});

describe('objectives', () => {
  it('are ticked while both speak, with the learner’s words', async () => {
    proofs = [{ objective: 1, words: 'a window seat' }];
    home.twin.script.hears('Could I have a window seat, please?');
    const call = await home.begin();
    await call.hearOut();
    call.say(1_000);
    const { itemId } = await call.next('learnerSaid');
    expect(await call.next('proved')).toMatchObject({ itemId, words: 'a window seat' });
    call.tell({ type: 'end' });
    await call.closed;
    expect((await home.ledger()).map(({ use }) => use)).toContain('judge');
  });
});
