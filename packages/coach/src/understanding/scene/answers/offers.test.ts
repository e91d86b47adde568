/** Values that a learner proposes, at steps where the coach has named another one or asks for one. */
import { describe, expect, it } from 'vitest';
import { answerAt, coachOf, dialogueOf } from '../../../test-kit/scene-coaches.ts';
import { isAboutValueOf } from '../../rules/values/time-intent.ts';

const PRICE = 'Agree on a price';
const RAISE = 'Ask for a raise';
const DELAY = 'Explain a delay to a client';

describe('a counter-offer', { timeout: 60_000 }, () => {
  it.each(['What about 170?', 'can we say 175', '175 and we have a deal', 'How about a hundred and seventy-two?'])(
    'to a final price is turned down, and the deal stays open: %s',
    (said) => {
      const { reply, coach, hasEnded, objectives } = answerAt(PRICE, 'final', said);
      expect({ reply, hasEnded, objectives }).toEqual({ reply: 'last', hasEnded: false, objectives: [] });
      expect(coach).toMatch(/not a penny less/i);
    },
  );

  it('asks for a better price without offering anything', () => {
    expect(answerAt(PRICE, 'give', 'can we say 175').objectives).toEqual(['ask']);
  });

  it('is not a question about the coach or the scene', () => {
    const { kind, coach } = answerAt('Negotiate a deadline', 'demand', 'what about the fifteenth of march');
    expect(kind).toBe('bridge');
    expect(coach).not.toMatch(/look that up|for sure right now/);
  });
});

describe('a value', { timeout: 60_000 }, () => {
  it.each(['next tuesday around 9', 'on Monday at ten', 'Tuesday next week'])('meets the objective: %s', (said) =>
    expect(answerAt(RAISE, 'review', said).objectives).toEqual(['next-step']),
  );

  it('is certain only where most answers with that meaning name one', () => {
    const isAbout = (title: string, node: string, intent: string) => {
      const { understanding } = dialogueOf(title).nodes.find(({ key }) => key === node) ?? {};
      return understanding?.intents.some(
        ({ key, ...rest }) => key === intent && isAboutValueOf('first of march', { key, ...rest }),
      );
    };
    expect(isAbout(RAISE, 'review', 'date')).toBe(true);
    expect(isAbout('Negotiate a deadline', 'demand', 'impossible')).toBe(false);
  });

  it.each(['the first of March', 'The first of March?', 'By the first of March.'])(
    'that only repeats the coach’s demand meets no objective: %s',
    (said) => expect(answerAt('Negotiate a deadline', 'demand', said).objectives).toEqual([]),
  );

  it('that checks what the coach has said meets its objective', () =>
    expect(answerAt('A phone call on a bad line', 'time', 'Half past four?').objectives).toEqual(['check']));

  it.each([
    'Last year I won three new clients and our revenue rose by ten percent.',
    'sales went up by thirty percent because of my work',
  ])('that measures a result is not the raise that the learner asks for: %s', (said) =>
    expect(answerAt(RAISE, 'reasons', said).objectives).toEqual(['results']),
  );

  it.each([
    'the boxes are two days late because there was a strike',
    'Your order will come four days later than planned, because our supplier had a fire.',
  ])('that comes with the reason is not asked for again: %s', (said) => {
    const sceneCoach = coachOf(DELAY);
    const { reply, memory, objectives } = sceneCoach.answer({ node: 'opening', difficulty: 'intermediate', said });
    expect(reply).not.toBe('how-late');
    expect(memory.knownFacts).toContain('lateness');
    expect(objectives).toContain('name-the-delay');
  });
});
