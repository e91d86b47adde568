import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SpeechFailure } from '../../../speech/index.ts';
import { silence, speech } from './test-kit/sound.ts';
import { aWish, SHORT_WAITS, type Talk, talkWith, voiceAt } from './test-kit/talk.ts';
import { type RealtimeTwin, startRealtimeTwin, type TwinLine, type TwinRefusal } from './twin/index.ts';

const SECRET = 'my sister Ludmila is ill';

let twin: RealtimeTwin;
beforeEach(async () => {
  twin = await startRealtimeTwin({ speed: 20 });
});
afterEach(() => twin.close());

const open = (options: Parameters<typeof voiceAt>[1] = {}, signal = new AbortController().signal) =>
  voiceAt(twin, options).open(aWish({ messages: [{ role: 'learner', text: SECRET }] }), {
    hear: () => undefined,
    signal,
  });

const times = (count: number, refusal: TwinRefusal): TwinRefusal[] => Array.from({ length: count }, () => refusal);

describe('a line that does not open', () => {
  it.each<[what: string, refusals: TwinRefusal[], failure: Partial<SpeechFailure>]>([
    ['a forbidden country', [{ does: 'reject', status: 403 }], { reason: 'key_refused' }],
    ['no money', [{ does: 'reject', status: 429, code: 'insufficient_quota' }], { reason: 'busy' }],
    [
      'a limit that stays',
      times(3, { does: 'reject', status: 429, retryAfterMs: 5 }),
      { reason: 'busy', retryAfterMs: 5 },
    ],
    [
      'a limit for longer than a learner waits',
      [{ does: 'reject', status: 429, retryAfterMs: 60_000 }],
      { reason: 'busy', retryAfterMs: 60_000 },
    ],
    ['a server that stays broken', times(3, { does: 'reject', status: 503 }), { reason: 'unreachable' }],
    ['a model that there is not', [{ does: 'reject', status: 404 }], { reason: 'unreachable' }],
    ['silence', times(3, { does: 'fall_silent' }), { reason: 'unreachable' }],
    [
      'a session that is not taken',
      times(3, { does: 'refuse_session', code: 'invalid_value' }),
      { reason: 'unreachable' },
    ],
  ])('%s', async (_what, refusals, failure) => {
    twin.script.refuses(...refusals);
    await expect(open()).rejects.toMatchObject(failure);
    await expect(open()).resolves.toBeDefined();
  });

  it('a refused key', async () => {
    const error: unknown = await open({ apiKey: 'sk-wrong-key' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SpeechFailure);
    expect(error).toMatchObject({ reason: 'key_refused' });
    expect(inspect(error, { depth: 9 })).not.toMatch(/sk-wrong-key|Ludmila/);
  });

  it('nobody there', async () => {
    await expect(open({ baseUrl: 'http://127.0.0.1:9/v1' })).rejects.toMatchObject({ reason: 'unreachable' });
  });

  it('opens at another try', async () => {
    twin.script.refuses({ does: 'reject', status: 500 }, { does: 'reject', status: 429, retryAfterMs: 5 });
    const session = await open();
    await session.close();
    expect(twin.sessions).toHaveLength(1);
  });

  it('is given up when whoever asked has gone', async () => {
    twin.script.refuses({ does: 'fall_silent' });
    const gone = new AbortController();
    const opening = open({}, gone.signal);
    setTimeout(() => gone.abort(new Error('gone')), 50);
    await expect(opening).rejects.toThrow('gone');
  });

  it('for a secret fails as for anything else', async () => {
    await expect(
      voiceAt(twin, { apiKey: 'wrong' }).mintSecret(aWish(), new AbortController().signal),
    ).rejects.toMatchObject({
      reason: 'key_refused',
    });
  });
});

describe('an answer that goes wrong', () => {
  const wrong = (goesWrong: TwinLine['goesWrong'], audioMs = 2_000): TwinLine => ({
    text: 'The room is free from the first of May, and it is quiet.',
    audioMs,
    ...(goesWrong === undefined ? {} : { goesWrong }),
  });

  it.each<[what: string, line: TwinLine, reason: SpeechFailure['reason']]>([
    ['is cut in the middle', wrong({ does: 'cut', afterMs: 300 }), 'unreachable'],
    ['falls silent in the middle', wrong({ does: 'fall_silent', afterMs: 300 }), 'unreachable'],
    ['never begins', wrong({ does: 'fall_silent', afterMs: 0 }), 'unreachable'],
    ['comes as half of an event', wrong({ does: 'garble_json', afterMs: 300 }), 'malformed'],
    ['comes in another shape', wrong({ does: 'garble', afterMs: 300 }), 'malformed'],
    ['is refused for want of money', wrong({ does: 'error', afterMs: 300, code: 'insufficient_quota' }), 'busy'],
    ['ends with the session', wrong({ does: 'error', afterMs: 300, code: 'session_expired' }), 'unreachable'],
  ])('%s', async (_what, line, reason) => {
    twin.script.says(line);
    const talk = await talkWith(twin);
    talk.session.speak();
    expect((await talk.next('failed')).failure).toMatchObject({ reason });
    // It was charged as far as it came: a token of sound lasts 50 ms, and the prompt some words.
    const [spent, ...more] = talk.all('used').map(({ used }) => used);
    if (spent?.use !== 'reply') throw new Error('no answer was charged');
    expect(more).toEqual([]);
    expect(spent.audio.output).toBe((line.goesWrong?.afterMs ?? 0) / 50);
    expect(spent.text.input).toBeGreaterThan(20);
    // It is the last that is heard, and the line is closed.
    const count = talk.events.length;
    talk.session.hear(speech(500));
    talk.session.speak();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(talk.events).toHaveLength(count);
    expect(talk.all('failed')).toHaveLength(1);
    expect(talk.twin.state).toBe('closed');
  });

  it('before its first sound is asked for once more', async () => {
    twin.script.says(wrong({ does: 'failed', afterMs: 0 }), { text: 'Good morning.', audioMs: 100 });
    const talk = await talkWith(twin);
    talk.session.speak();
    expect((await talk.next('coachEnded')).text).toBe('Good morning.');
    await talk.session.close();
  });

  it('twice fails by what the provider says', async () => {
    const failed = { does: 'failed', afterMs: 0, code: 'rate_limit_exceeded' } as const;
    twin.script.says(wrong(failed), wrong(failed));
    const talk = await talkWith(twin);
    talk.session.speak();
    expect((await talk.next('failed')).failure).toMatchObject({ reason: 'busy' });
  });

  it('in its middle is the end of the line, and the conversation goes on', async () => {
    twin.script.says(wrong({ does: 'failed', afterMs: 300 }), { text: 'Sorry. Where was I?', audioMs: 100 });
    const talk = await talkWith(twin);
    talk.session.speak();
    expect((await talk.nextLine()).text).toMatch(/^The room/);
    talk.say(900);
    expect((await talk.nextLine()).text).toBe('Sorry. Where was I?');
    await talk.session.close();
  });

  it('because of what we tried too late is no failure', async () => {
    twin.script.says({ text: 'Short.', audioMs: 300 });
    const talk = await talkWith(twin);
    talk.session.speak();
    const { itemId } = await talk.next('coachStarted');
    await new Promise((resolve) => setTimeout(resolve, 100));
    talk.session.cut();
    talk.session.played({ itemId, audioMs: 200 });
    await talk.next('coachEnded');
    talk.session.hear(speech(900));
    talk.session.hear(silence(500));
    await talk.next('coachStarted');
    expect(talk.all('failed')).toEqual([]);
    await talk.session.close();
  });
});

describe('a conversation that breaks off', () => {
  const used = (talk: Talk) => talk.all('used').map((event) => event.used);

  it('is charged for what was being written down', async () => {
    const deaf = await startRealtimeTwin({ speed: 20, transcribeMs: 60_000 });
    deaf.script.says({ text: 'Yes.', goesWrong: { does: 'cut', afterMs: 0 } });
    const talk = await talkWith(deaf);
    talk.say(900);
    await talk.next('failed');
    await deaf.close();
    expect(used(talk)).toEqual([
      { use: 'transcribe', id: expect.any(String), seconds: expect.closeTo(1.4, 0), isEstimate: true },
      expect.objectContaining({ use: 'reply', isEstimate: true }),
    ]);
  });

  it('is charged for its second answer as for one that is told the first', async () => {
    twin.script.says(
      { text: 'Good morning.', audioMs: 300 },
      { text: 'Never to its end.', audioMs: 2_000, goesWrong: { does: 'cut', afterMs: 500 } },
    );
    const talk = await talkWith(twin);
    talk.session.speak();
    await talk.nextLine();
    talk.say(900);
    await talk.next('failed');
    const [first, second] = used(talk).filter(({ use }) => use === 'reply');
    if (first?.use !== 'reply' || second?.use !== 'reply') throw new Error('an answer was not charged');
    expect(second.text).toMatchObject({ input: first.text.input + first.text.output, cached: 300 });
    // The first one's sound, and about a second and a half of the learner's.
    expect(second.audio.input - first.audio.input - first.audio.output).toBeGreaterThan(8);
    expect(second.audio.output).toBe(10);
  });
});

describe('a transcript', () => {
  it('that fails is charged by its length', async () => {
    twin.script.hears(null);
    const talk = await talkWith(twin);
    talk.say(900);
    await talk.next('learnerSaid');
    const [spent] = talk.all('used').map(({ used }) => used);
    expect(spent).toMatchObject({ use: 'transcribe', seconds: expect.closeTo(1.4, 0) });
    await talk.session.close();
  });

  it('that nobody makes costs nothing', async () => {
    const deaf = await startRealtimeTwin({ speed: 20, transcribeMs: 60_000 });
    const talk = await talkWith(deaf, {}, { transcribeModel: null });
    talk.say(900);
    await talk.next('coachStarted');
    await talk.session.close();
    await deaf.close();
    expect(talk.all('used').map(({ used }) => used.use)).toEqual(['reply']);
  });
});

describe('a conversation that is closed', () => {
  it('is closed at the provider too, and nothing more is heard of it', async () => {
    twin.script.says({ text: 'A long line.', audioMs: 4_000 });
    const talk = await talkWith(twin);
    talk.session.speak();
    await talk.next('coachStarted');
    const count = talk.events.length;
    await talk.session.close();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(talk.twin.state).toBe('closed');
    // But for what the answer took that nobody will hear to its end.
    expect(talk.events.slice(count).map(({ type }) => type)).toEqual(['used']);
  });

  it('keeps no timer that would fail it later', async () => {
    twin.script.says({ text: 'Never.', goesWrong: { does: 'fall_silent', afterMs: 0 } });
    const talk = await talkWith(twin);
    talk.session.speak();
    await talk.session.close();
    await new Promise((resolve) => setTimeout(resolve, SHORT_WAITS.silenceMs + 100));
    expect(talk.all('failed')).toEqual([]);
  });
});
