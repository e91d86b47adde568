/** Questions that the coach must not mistake for others, and what it says before it asks its own again. */
import { describe, expect, it } from 'vitest';
import { answerAt, coachOf } from '../../../test-kit/scene-coaches.ts';

const INVOICE = 'Chase an unpaid invoice';

describe('a question', { timeout: 60_000 }, () => {
  it.each([['Why does your manager have to sign it?', INVOICE, 'waiting']])(
    'for a reason in the scene does not ask why the coach asks: %s',
    (said, title, node) => {
      for (const seed of [1, 2, 3, 4]) {
        const { coach } = coachOf(title, seed).answer({ node, difficulty: 'intermediate', said });
        expect(coach).not.toMatch(/like to (?:know|understand)|next step|before we go on/);
      }
    },
  );

  it('that offers no choice is not told that either is fine', () => {
    for (const seed of [1, 2, 3, 4]) {
      const { coach } = coachOf('Explain a price rise', seed).answer({
        node: 'compare',
        difficulty: 'hard',
        said: 'Did they quote you the same delivery times?',
      });
      expect(coach).not.toMatch(/either is fine|whatever fits/i);
    }
  });

  it('about the coach’s opinion does not ask for the learner’s, which has just been said', () => {
    for (const seed of [1, 2, 3, 4]) {
      const { coach } = coachOf('Talk to a stranger at a conference', seed).answer({
        node: 'talk',
        difficulty: 'intermediate',
        said: 'A bit boring to be honest. What did you think?',
      });
      expect(coach).not.toMatch(/first/);
    }
  });

  it('may choose between two answers', () => {
    const { coach } = answerAt(INVOICE, 'sooner', 'Do you mean the day or the reason?');
    expect(coach).toMatch(/either is fine|whatever fits/i);
  });

  it.each(['good thanks how was yours', 'Very good, thank you. And yours?', 'It was fine, how was yours?'])(
    'that follows how the journey was does not make the coach ask again: %s',
    (said) => {
      const { reply, objectives } = answerAt('Small talk before a meeting', 'journey', said);
      expect(reply).not.toBeNull();
      expect(objectives).toContain('ask-back');
    },
  );

  it('that gives the question back is not answered twice', () => {
    const { coach } = answerAt(
      'Small talk before a meeting',
      'weekend',
      'We went to the sea with the children. And you?',
    );
    expect(coach).not.toMatch(/minutes away|with you for the moment|much to tell/);
    expect(coach).toContain('garden');
    const { coach: sister } = answerAt(
      'Talk to a stranger at a conference',
      'talk',
      'I found it boring. What about you?',
    );
    expect(sister).not.toMatch(/with you for the moment|much to tell/);
  });

  it('that ends a welcome is answered', () => {
    const said = 'welcome to berlin mr walter how was your flight';
    expect(answerAt('Introduce your team', 'arrive', said).coach).toContain('slept most of the way');
  });

  it('that was invited counts beside another one', () => {
    const said = 'how much is the rent and can my brother live here too';
    expect(answerAt('Rent a flat', 'questions', said)).toMatchObject({ reply: 'price', objectives: ['costs'] });
  });

  it.each([
    ['Check in at a hotel', 'more', 'where is the breakfast room please', 'bye-breakfast'],
    [
      'Run a short meeting',
      'report',
      'Sounds wild, but can we focus? Is the hotel free on the date or not?',
      'options',
    ],
    ['Agree on a price', 'justify', "because um you know it's thirty chairs that's a lot", 'give'],
  ])('continues the scene where the coach waits for it: %s, %s, %s', (title, node, said, next) => {
    const { reply, objectives } = answerAt(title, node, said);
    expect(reply).toBe(next);
    expect(objectives).not.toEqual([]);
  });

  it('gets no long line in full again, unless it was not heard', () => {
    const long = { node: 'full', difficulty: 'hard' } as const;
    for (const seed of [1, 2, 3, 4]) {
      const coach = coachOf('Check in at a hotel', seed);
      expect(coach.answer({ ...long, said: 'Who decides which room I get?' }).coach).not.toContain('at the back');
    }
    const { coach } = coachOf('Check in at a hotel', 1).answer({ ...long, said: 'Could you say that again, please?' });
    expect(coach).toContain('at the back');
  });
});

it('greets only once', { timeout: 60_000 }, () => {
  const { coach } = coachOf('Swap a shift', 7).answer({
    node: 'opening',
    difficulty: 'easy',
    said: 'um',
    memory: { knownFacts: new Set(), turnsAtNode: 1, offTopicTurns: 0 },
  });
  expect(coach).not.toMatch(/\bHi!/);
});
