/** A guided practice in the learner's own words, on the catalogue that ships. */
import { loadStarterCatalogue } from '@parley/catalogue';
import { describe, expect, it } from 'vitest';
import { openHost, type OpenHost } from '../test-kit/open-host.ts';

const loadCatalogue = async () => loadStarterCatalogue();
const practice = loadStarterCatalogue().practices.find(({ title }) => title === 'Explain a delay to a client');
if (practice === undefined) throw new Error('the practice is missing');
const { practiceId } = practice;

const ANSWERS = [
  'I have to tell you that your boxes will arrive later than we said.',
  'Could you repeat that, please?',
  'My cat likes to sleep on the sofa.',
  'There was a big storm and the ship could not leave the port.',
];

async function answerAll(
  { ask }: OpenHost,
  sessionId: Parameters<OpenHost['ask']['practice']['session']>[0]['sessionId'],
) {
  for (const text of ANSWERS) await ask.practice.sendTyped({ sessionId, text, hintLevel: 0 });
  return ask.practice.session({ sessionId });
}

describe('a practice with free answers', { timeout: 120_000 }, () => {
  it('understands them, ticks objectives in the learner’s words, and continues identically after a restart', async () => {
    const opened = await openHost({ loadCatalogue });
    const { sessionId, turns: opening } = await opened.ask.practice.start({
      practiceId,
      difficulty: 'easy',
      communicationStyle: 'text',
    });
    expect(opening[0]?.text).toContain('Grace');
    const before = await answerAll(opened, sessionId);
    const learnerTurns = before.turns.filter((turn) => turn.role === 'learner');
    expect(learnerTurns.map(({ fitted }) => fitted)).toEqual([true, true, false, true]);
    const proofs = before.objectives.flatMap(({ provedBy }) => provedBy ?? []);
    expect(proofs.length).toBeGreaterThan(1);
    for (const words of proofs)
      expect(
        ANSWERS.some((text) => text.includes(words)),
        words,
      ).toBe(true);
    const [reply] = (await opened.ask.practice.hint({ sessionId, level: 3 })).hints;
    await opened.host.close();

    const restarted = await openHost({ dataDir: opened.dataDir, loadCatalogue });
    expect((await restarted.ask.practice.session({ sessionId })).turns).toEqual(before.turns);
    const after = await restarted.ask.practice.sendTyped({ sessionId, text: reply ?? '', hintLevel: 3 });
    expect(after.turns.at(-1)).toMatchObject({ role: 'coach' });
    expect(after.turns.at(-2)).toMatchObject({ fitted: true });
    await restarted.host.close();
  });

  it('ends without an error when the app closes while an answer is being prepared', async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', onUnhandled);
    try {
      const { host, ask } = await openHost({ loadCatalogue });
      const { sessionId } = await ask.practice.start({ practiceId, difficulty: 'easy', communicationStyle: 'text' });
      const answered = ask.practice.sendTyped({ sessionId, text: ANSWERS[0] ?? '', hintLevel: 0 });
      const failure = expect(answered).rejects.toThrow();
      await host.close();
      await failure;
      await new Promise((resolve) => setTimeout(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', onUnhandled);
    }
  });

  it('keeps the host responsive while it prepares', async () => {
    const { host, ask } = await openHost({ loadCatalogue });
    const delays: number[] = [];
    let last = performance.now();
    const tick = setInterval(() => {
      const now = performance.now();
      delays.push(now - last);
      last = now;
    }, 1);
    const { sessionId } = await ask.practice.start({ practiceId, difficulty: 'easy', communicationStyle: 'text' });
    await ask.practice.sendTyped({ sessionId, text: ANSWERS[0] ?? '', hintLevel: 0 });
    clearInterval(tick);
    const sorted = delays.toSorted((a, b) => a - b);
    expect(sorted.at(Math.floor(sorted.length / 2))).toBeLessThan(50);
    expect(sorted.length).toBeGreaterThan(20);
    await host.close();
  });
});
