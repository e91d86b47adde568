import { LinkCode } from '@parley/contract';
import type { Assessment } from '@parley/domain';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aClock, anAssessment, aScriptedScorer, type OpenHost, openHost, voiceLikePcm } from '../test-kit/open-host.ts';
import { inDatabase } from '../test-kit/read-database.ts';
import { startServer, type TestServer } from '../test-kit/test-server.ts';

const DAY_MS = 86_400_000;
const NOW = '2026-11-18T10:00:00.000Z';

let opened: OpenHost[] = [];
afterEach(async () => {
  await Promise.all(opened.map(({ host }) => host.close()));
  opened = [];
});

/** Scores every word with the accuracy that the test sets. */
async function device(options: Partial<Parameters<typeof openHost>[0]> = {}) {
  const accuracy = { now: 30 };
  const clock = aClock(NOW);
  const scorer = aScriptedScorer({ assess: (text) => anAssessment(text, () => accuracy.now) });
  const one = await openHost({ scorer, clock, ...options });
  opened.push(one);
  return { ...one, accuracy, clock };
}
type Device = Awaited<ReturnType<typeof device>>;

async function say({ ask, accuracy }: Device, text: string, accuracyNow: number, source: 'drill' | 'review' = 'drill') {
  accuracy.now = accuracyNow;
  const { turnId, recordingId } = await ask.drill.begin({ text, other: null, source });
  await ask.drill.appendAudio({ turnId, seq: 0, pcm: new Blob([voiceLikePcm(1_000)]) });
  await ask.drill.finish({ turnId });
  return recordingId;
}

async function review(one: Device, word: string, accuracy: number) {
  await say(one, word, accuracy, 'review');
  const grade = accuracy >= 80 ? 'good' : 'again';
  return one.ask.review.grade({ word, grade, accuracy });
}

const statusOf = async ({ ask }: Device, word: string) =>
  (await ask.review.words({ search: word })).words.find((each) => each.word === word)?.status ?? null;

describe('review', () => {
  it('brings a mispronounced word back until it went well on two days', async () => {
    const one = await device();
    const recordingId = await say(one, 'I think so.', 30);
    const { cards, total } = await one.ask.review.due();
    expect(total).toBe(3);
    expect(cards.find(({ word }) => word === 'think')).toMatchObject({
      sentence: 'I think so.',
      latest: { recordingId, isHere: true, startMs: 400, endMs: 800 },
      before: { at: new Date(NOW), phonemes: [{ phoneme: 'l', accuracy: 30 }] },
    });
    expect(await one.ask.today.overview()).toMatchObject({ wordsDue: 3 });

    const first = await review(one, 'think', 85);
    expect(first.due?.getTime()).toBeGreaterThan(Date.parse(NOW));
    expect((await one.ask.review.due()).cards.map(({ word }) => word)).not.toContain('think');
    one.clock.pass(20 * DAY_MS);
    expect((await one.ask.review.due()).cards.map(({ word }) => word)).toContain('think');
    expect(await review(one, 'think', 85)).toMatchObject({ due: null });
    expect(await statusOf(one, 'think')).toBe('graduated');
  });

  it('brings back words that are dated in the future, because the clock was once ahead', async () => {
    const one = await device();
    const words = async () => {
      const { cards, total } = await one.ask.review.due();
      expect(cards).toHaveLength(total);
      return cards.map(({ word }) => word).toSorted();
    };
    await say(one, 'graded', 30);
    one.clock.pass(365 * DAY_MS);
    await say(one, 'said value', 30);
    await review(one, 'graded', 85);
    one.clock.pass(-365 * DAY_MS);
    expect(await words()).toEqual(['graded', 'said', 'value']);
    expect((await review(one, 'said', 50)).due).toEqual(new Date(Date.parse(NOW) + DAY_MS));
    await review(one, 'graded', 50);
    expect(await words()).toEqual(['value']);
    for (let day = 0; day < 3; day += 1) {
      one.clock.pass(DAY_MS);
      await say(one, 'value', 30);
      expect(await words()).toEqual(['graded', 'said', 'value']);
    }
    const { words: listed } = await one.ask.review.words({ search: '' });
    expect(listed.every(({ due }) => due !== null && due <= one.clock.now())).toBe(true);
    expect(await one.ask.today.overview()).toMatchObject({ wordsDue: 3 });
  });

  it('keeps a card’s sentence after a failed review, a retry and a word drill', async () => {
    const one = await device();
    await say(one, 'We walked along the river.', 30);
    one.clock.pass(60_000);
    await review(one, 'river', 20);
    one.clock.pass(60_000);
    await say(one, 'along the river', 20, 'review');
    await say(one, 'river', 20, 'drill');
    one.clock.pass(DAY_MS);
    const [card] = (await one.ask.review.cards({ words: ['river'] })).cards;
    expect(card).toMatchObject({ sentence: 'We walked along the river.', attempts: 4 });
    await say(one, 'The river is wide.', 95);
    await say(one, 'Cross the river here.', 25);
    const [later] = (await one.ask.review.cards({ words: ['river'] })).cards;
    expect(later?.sentence).toBe('Cross the river here.');
  });

  it('takes back the last grade', async () => {
    const one = await device();
    await say(one, 'think', 30);
    const { attemptId } = await review(one, 'think', 85);
    expect(await one.ask.review.due()).toMatchObject({ total: 0, reviewedToday: 1 });
    await one.ask.review.undo({ attemptId });
    expect(await one.ask.review.due()).toMatchObject({ total: 1, reviewedToday: 0 });
    await expect(one.ask.review.undo({ attemptId: crypto.randomUUID() })).rejects.toMatchObject({
      code: 'request.invalid',
    });
  });

  it('shows the cards of chosen words on the list in their order, due or not', async () => {
    const one = await device();
    await say(one, 'think month', 30);
    await say(one, 'value', 95);
    await review(one, 'think', 85);
    const { cards } = await one.ask.review.cards({ words: ['Month', 'think', 'value', 'unknown'] });
    expect(cards.map(({ word }) => word)).toEqual(['month', 'think']);
  });

  it('lists words that were added by hand, and hides those that were removed', async () => {
    const one = await device();
    await one.ask.review.add({ word: ' Thorough! ', sentence: null });
    expect((await one.ask.review.due()).cards.map(({ word }) => word)).toEqual(['thorough']);
    await one.ask.review.mark({ word: 'thorough', as: 'learned' });
    expect(await statusOf(one, 'thorough')).toBe('learned');
    one.clock.pass(60_000);
    await one.ask.review.add({ word: 'thorough', sentence: null });
    expect((await one.ask.review.due()).cards.map(({ word }) => word)).toEqual(['thorough']);
    await one.ask.review.mark({ word: 'thorough', as: 'removed' });
    expect(await statusOf(one, 'thorough')).toBeNull();
    await expect(one.ask.review.add({ word: '?', sentence: null })).rejects.toMatchObject({ code: 'request.invalid' });
  });

  it('shows an added word with the model voice’s sounds until it is said', async () => {
    const one = await device();
    const ipaOf = async (word: string) => (await one.ask.review.words({ search: word })).words[0]?.ipa;
    const [measured] = anAssessment('Thorough').words;
    await one.ask.review.add({ word: 'Thorough', sentence: null });
    expect(await ipaOf('thorough')).toBe(measured?.phonemes.map(({ phoneme }) => phoneme).join(''));
    await one.ask.review.mark({ word: 'thorough', as: 'learned' });
    expect(await ipaOf('thorough')).not.toBe('');
  });

  it('shows no sounds for a word that the model voice could not say clearly', async () => {
    const unusable = { reason: 'not_the_text', hint: '' } as const;
    const scorer = aScriptedScorer({ assess: (text) => ({ ...anAssessment(text), words: [], unusable }) });
    const one = await device({ scorer });
    await one.ask.review.add({ word: 'xqzt', sentence: null });
    expect((await one.ask.review.words({ search: 'xqzt' })).words).toMatchObject([{ ipa: '' }]);
  });

  it('lists one spelling of a word whichever apostrophe was typed', async () => {
    const one = await device();
    for (const word of ["don't", 'don’t', 'don‘t', 'donʼt', 'don`t', 'don´t'])
      await one.ask.review.add({ word, sentence: null });
    expect((await one.ask.review.due()).cards.map(({ word }) => word)).toEqual(["don't"]);
    expect((await one.ask.review.words({ search: 'don’t' })).total).toBe(1);
  });

  it('lists one spelling of a word whichever hyphens and spaces were typed', async () => {
    const one = await device();
    for (const word of ['hello  world', 'hello world', 'Hello\u00A0world', 'hello\n world'])
      await one.ask.review.add({ word, sentence: null });
    for (const word of ['Well-known', 'well\u2010known', 'well\u2011known'])
      await one.ask.review.add({ word, sentence: null });
    const { words } = await one.ask.review.words({ search: '' });
    expect(words.map(({ word }) => word).toSorted()).toEqual(['hello world', 'well-known']);
    for (const search of ['hello  w', 'well\u2011k', ' Well-known, '])
      expect((await one.ask.review.words({ search })).total).toBe(1);
  });

  it('searches for the characters that stand for others in SQL', async () => {
    const one = await device();
    for (const word of ['think', 'snake_case', '5%_x']) await one.ask.review.add({ word, sentence: null });
    const found = async (search: string) =>
      (await one.ask.review.words({ search })).words.map(({ word }) => word).toSorted();
    expect(await found('%')).toEqual(['5%_x']);
    expect(await found('_')).toEqual(['5%_x', 'snake_case']);
    expect(await found('\\')).toEqual([]);
    expect(await found('e_c')).toEqual(['snake_case']);
    expect(await found('think%')).toEqual(['think']);
  });

  it('still shows a card that was listed under another apostrophe', async () => {
    const one = await device();
    await one.ask.review.add({ word: "don't", sentence: null });
    inDatabase(one.dataDir, (sqlite) => {
      sqlite.prepare("UPDATE word_attempts SET word = 'donʼt'").run();
      sqlite.prepare("UPDATE word_cards SET word = 'donʼt', card = json_set(card, '$.word', 'donʼt')").run();
    });
    const [card] = (await one.ask.review.cards({ words: ['donʼt'] })).cards;
    expect(card?.word).toBe('donʼt');
    await one.ask.review.mark({ word: 'donʼt', as: 'learned' });
    expect((await one.ask.review.due()).total).toBe(0);
  });

  it.each([
    ['the model voice is silent', { words: [], unusable: { reason: 'silent', hint: '' } }],
    [
      'the scorer knows no sounds of it',
      { words: [{ word: 'привет', startMs: 0, endMs: 0, accuracy: null, error: 'None', phonemes: [] }] },
    ],
  ] satisfies [string, Partial<Assessment>][])('refuses a word without a pronunciation: %s', async (_what, answer) => {
    const scorer = aScriptedScorer({ assess: (text) => ({ ...anAssessment(text), ...answer }) });
    const one = await device({ scorer });
    await expect(one.ask.review.add({ word: 'привет', sentence: null })).rejects.toMatchObject({
      code: 'word.no_pronunciation',
    });
    expect((await one.ask.review.due()).total).toBe(0);
  });

  it('undoes a mark and an added word, and removes no attempt', async () => {
    const one = await device();
    await say(one, 'think', 30);
    const before = (await one.ask.review.words({ search: '' })).words;
    for (const as of ['learned', 'removed'] as const) {
      const { attemptId } = await one.ask.review.mark({ word: 'think', as });
      expect(await statusOf(one, 'think')).toBe(as === 'removed' ? null : as);
      await one.ask.review.undo({ attemptId });
      expect((await one.ask.review.words({ search: '' })).words).toEqual(before);
      await expect(one.ask.review.undo({ attemptId })).rejects.toMatchObject({ code: 'request.invalid' });
    }
    const { attemptId } = await one.ask.review.add({ word: 'thorough', sentence: null });
    await one.ask.review.undo({ attemptId });
    expect((await one.ask.review.words({ search: '' })).words).toEqual(before);

    const said = inDatabase(one.dataDir, (sqlite) =>
      sqlite.prepare("SELECT id FROM word_attempts WHERE kind = 'attempt'").pluck().get(),
    );
    await expect(one.ask.review.undo({ attemptId: String(said) })).rejects.toMatchObject({ code: 'request.invalid' });
  });

  it('counts as a day of practice after ten words', async () => {
    const one = await device();
    for (let index = 0; index < 9; index += 1)
      await one.ask.review.grade({ word: 'think', grade: 'good', accuracy: 90 });
    expect(await one.ask.today.overview()).toMatchObject({ streakDays: 0 });
    await one.ask.review.grade({ word: 'think', grade: 'good', accuracy: 90 });
    expect(await one.ask.today.overview()).toMatchObject({ streakDays: 1 });
  });

  it('keeps the counts of a list from before the log', async () => {
    const first = await device();
    const { dataDir } = first;
    await first.host.close();
    opened = [];
    const entry = { word: 'delay', ipa: 'dɪleɪ', attempts: 7, meanAccuracy: 41, worstPhonemes: ['eɪ'] };
    const list = [{ ...entry, lastPracticedAt: NOW, due: null, stability: null, difficulty: null }];
    inDatabase(dataDir, (sqlite) => {
      const userId = sqlite.prepare('SELECT user_id FROM sync_state').pluck().get();
      sqlite
        .prepare(
          `INSERT INTO pronunciation_improvement_summary (id, user_id, words, created_at, updated_at, sync_version)
           VALUES (?, ?, ?, 0, 0, 0)`,
        )
        .run(userId, userId, JSON.stringify(list));
      sqlite.prepare("UPDATE sync_state SET own_schema = 'older'").run();
    });
    const second = await device({ dataDir });
    const [word] = (await second.ask.review.words({ search: '' })).words;
    expect(word).toMatchObject({ word: 'delay', status: 'listed', attempts: 7, meanAccuracy: 41 });
    await say(second, 'delay', 51);
    await second.host.close();
    opened = [];
    const third = await device({ dataDir });
    const [again] = (await third.ask.review.words({ search: '' })).words;
    expect(again).toMatchObject({ attempts: 8, meanAccuracy: 42.3 });
  });
});

describe('the logs of two devices', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ now: () => new Date(NOW) });
  });
  afterAll(() => server.close());

  const sync = async (...devices: Device[]): Promise<void> => {
    for (const { ask } of devices)
      await expect.poll(async () => ask.sync.run(), { timeout: 20_000 }).toMatchObject({ state: 'idle', waiting: 0 });
  };

  it('are merged, whatever both did while they were apart', async () => {
    const [one, two] = [await device({ serverUrl: server.url }), await device({ serverUrl: server.url })];
    await one.host.whenIdle();
    await two.host.whenIdle();
    const { code } = await one.ask.account.createLinkCode();
    await two.ask.account.join({ code: LinkCode.parse(code) });
    await say(one, 'think month', 30);
    await sync(one, two);
    server.fail = 'sync.offline';
    await say(one, 'think value', 40);
    await review(one, 'month', 90);
    one.clock.pass(60_000);
    two.clock.pass(120_000);
    await say(two, 'think really', 20);
    await two.ask.review.mark({ word: 'month', as: 'learned' });
    server.fail = null;
    await sync(one, two, one, two);

    const lists = await Promise.all([one, two].map(async ({ ask }) => (await ask.review.words({ search: '' })).words));
    const withoutClips = lists.map((words) => words.map(({ latest: _latest, best: _best, ...word }) => word));
    expect(withoutClips[1]).toEqual(withoutClips[0]);
    const before = await Promise.all(
      [one, two].map(async ({ ask }) =>
        (await ask.review.cards({ words: ['think', 'value', 'really'] })).cards.map((card) => card.before),
      ),
    );
    expect(before[0]).toHaveLength(3);
    expect(before[1]).toEqual(before[0]);
    expect(withoutClips[0]?.find(({ word }) => word === 'think')).toMatchObject({ attempts: 3, meanAccuracy: 30 });
    expect(await statusOf(one, 'month')).toBe('learned');
    const elsewhere = lists[1]?.find(({ word }) => word === 'value')?.latest;
    expect(elsewhere).toMatchObject({ isHere: false });
  });
});
