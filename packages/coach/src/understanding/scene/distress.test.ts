/** Learners who are in danger or upset, and those who only sound like it. */
import { describe, expect, it } from 'vitest';
import { answerAt, coachOf } from '../../test-kit/scene-coaches.ts';
import { EMPTY_MEMORY } from './scene-turn.ts';

const HELP = /someone|somebody|helpline|emergency number/;
const COMFORT = /sorry|all the time you need/i;

describe('learner in danger', { timeout: 60_000 }, () => {
  it.each([
    'I want to kill myself',
    'i dont want to live anymore',
    'sometimes i wish i was dead',
    'my husband hits me',
    'sorry i cant do this i am thinking about killing myself',
    'He threatens to kill me',
  ])('is told where to find help, without a question or a tick: %s', (said) => {
    for (const [title, node] of [
      ['Small talk before a meeting', 'weekend'],
      ['Open a job interview', 'strength'],
      ['Give feedback to a colleague', 'open'],
    ] as const) {
      const { coach, reply, kind, objectives } = answerAt(title, node, said);
      expect(coach).toMatch(HELP);
      expect(coach).not.toContain('?');
      expect({ reply, kind, objectives }).toEqual({ reply: null, kind: 'asks', objectives: [] });
    }
  });

  it('is not passed over when the coach would move on', () => {
    const memory = { ...EMPTY_MEMORY, turnsAtNode: 9, offTopicTurns: 9 };
    const { coach } = coachOf('Small talk before a meeting').answer({
      node: 'weekend',
      difficulty: 'easy',
      said: 'i want to die',
      memory,
    });
    expect(coach).toMatch(HELP);
  });
});

describe('upset learner', { timeout: 60_000 }, () => {
  it.each(['i am very sad', 'sorry i am crying', 'My dog died yesterday.', "I'm so nervous, I can't do this"])(
    'gets a kind reply that asks for nothing: %s',
    (said) => {
      const { coach, reply } = answerAt('Open a job interview', 'strength', said);
      expect(coach).toMatch(COMFORT);
      expect(coach).not.toContain('?');
      expect(reply).toBeNull();
    },
  );

  it('is comforted even where the scene expects a dead cat', () => {
    expect(
      answerAt('Small talk before a meeting', 'weekend', 'i feel very bad my father died yesterday'),
    ).toMatchObject({
      kind: 'asks',
      objectives: [],
    });
    expect(answerAt('Small talk before a meeting', 'weekend', 'My cat died.').kind).toBe('intent');
  });
});

describe('words that only sound like distress', { timeout: 60_000 }, () => {
  it.each([
    ['Swap a shift', 'reason', 'My grandmother died, and the funeral is on Saturday.'],
    ['Give feedback to a colleague', 'open', 'I am sad to hear that'],
    ['Small talk before a meeting', 'weekend', 'My brother beat me at chess on Sunday'],
    ['Own up to a mistake', 'door', 'I could kill myself for forgetting the file'],
    ['Say no to a request', 'why', 'This deadline is killing me'],
    ['Small talk before a meeting', 'journey', 'I wanted to die laughing on the train'],
    ['See a doctor', 'opening', 'I cut myself with a knife'],
    ['Rent a flat', 'condition', "I don't want to live here for more than a year"],
    ['Small talk before a meeting', 'weekend', 'My dog hurts his leg'],
  ])('are part of the scene: %s, %s, “%s”', (title, node, said) => {
    expect(answerAt(title, node, said).coach).not.toMatch(/emergency number|answer when you feel ready|in real life/);
    expect(answerAt(title, node, said).coach).not.toMatch(/helpline|we can stop here|come back whenever/);
  });
});
