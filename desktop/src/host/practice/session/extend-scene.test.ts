/** Two more minutes after the coach's goodbye, on the catalogue that ships. */
import { loadStarterCatalogue } from '@parley/catalogue';
import type { SessionView } from '@parley/contract';
import type { Turn } from '@parley/domain';
import { afterEach, describe, expect, it } from 'vitest';
import { aClock, type OpenHost, openHost } from '../../test-kit/open-host.ts';

const practice = loadStarterCatalogue().practices.find(({ title }) => title === 'Give a stand-up update');
if (practice === undefined) throw new Error('the practice is missing');
const { practiceId } = practice;

const YESTERDAY = 'I finished the report.';
const EVASION = 'My sister has a red bicycle.';
const OTHERS = [
  "Today I'll call the client.",
  'My laptop stops all the time and I lose a lot of work.',
  'I need somebody who can repair it this week.',
  'Before Thursday would be great.',
];

let opened: OpenHost;
afterEach(() => opened.host.close());

const start = async (): Promise<SessionView> => {
  opened = await openHost({ clock: aClock(), loadCatalogue: async () => loadStarterCatalogue() });
  return opened.ask.practice.start({ practiceId, difficulty: 'easy', communicationStyle: 'text' });
};
const openObjectives = ({ objectives }: SessionView): string[] =>
  objectives.filter(({ provedBy }) => provedBy === null).map(({ description }) => description);

const nodeOf = (turn: Turn | undefined): string | null => (turn?.role === 'coach' ? turn.node : null);

/** Says these replies in order until the coach says goodbye. */
async function sayAll(session: SessionView, texts: readonly string[]): Promise<SessionView> {
  let view = session;
  for (const text of texts) {
    if (view.phase === 'ended') break;
    view = await opened.ask.practice.sendTyped({ sessionId: session.sessionId, text, hintLevel: 0 });
  }
  return view;
}

describe('two more minutes', () => {
  it('ask again only about open objectives, and end with a goodbye', async () => {
    let view = await start();
    const question = (): string | null => nodeOf(view.turns.at(-1));
    for (let turn = 0; turn < 6 && question() === 'yesterday'; turn += 1) view = await sayAll(view, [EVASION]);
    expect(question()).toBe('today');
    const ended = await sayAll(view, OTHERS);
    expect(ended).toMatchObject({ phase: 'ended', canExtend: true });
    expect(openObjectives(ended)).toEqual(['Say what you did yesterday']);

    const { sessionId } = ended;
    const asked = await opened.ask.practice.extend({ sessionId });
    expect(asked).toMatchObject({ phase: 'learner_turn', canExtend: false });
    expect(asked.turns.at(-1)).toMatchObject({ role: 'coach', node: 'yesterday', kind: 'line' });
    expect(asked.turns.at(-1)?.text).toMatch(/^(One more thing|Wait)[^.]*\. What did you do yesterday\?$/);
    expect((await opened.ask.practice.extend({ sessionId })).turns).toEqual(asked.turns);

    const again = await sayAll(asked, [YESTERDAY]);
    expect(openObjectives(again)).toEqual([]);
    expect(again).toMatchObject({ phase: 'ended', canExtend: false });
    await expect(opened.ask.practice.extend({ sessionId })).rejects.toMatchObject({ code: 'session.ended' });
    expect((await opened.ask.practice.finish({ sessionId })).session.phase).toBe('scored');
    await expect(opened.ask.practice.extend({ sessionId })).rejects.toMatchObject({
      code: 'session.already_completed',
    });
  });

  it('are not offered when every objective is reached', async () => {
    const ended = await sayAll(await start(), [YESTERDAY, ...OTHERS]);
    expect(openObjectives(ended)).toEqual([]);
    expect(ended).toMatchObject({ phase: 'ended', canExtend: false });
  });
});
