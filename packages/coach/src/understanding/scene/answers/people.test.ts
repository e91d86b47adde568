/** Answers that name the person whom the scene speaks about. */
import { describe, expect, it } from 'vitest';
import { answerAt, dialogueOf } from '../../../test-kit/scene-coaches.ts';
import { createPeople } from '../../rules/values/people.ts';

describe('a person of the scene', () => {
  const inMessage = createPeople(dialogueOf('Leave a message'));
  it.each([
    ['Please ask Laura to call me back.', 'Please ask her to call me back.'],
    ['Laura should call me.', 'she should call me.'],
    ['Can Laura Bennett call me?', 'Can she call me?'],
    ['I have Laura’s number.', 'I have her number.'],
  ])('may be named: %s', (said, spoken) => expect(inMessage(said)).toBe(spoken));

  it('is replaced only where one is named', () => {
    expect(inMessage('My name is Sam Silva from Nordwood.')).toBeNull();
    expect(createPeople(dialogueOf('Change a booking by phone'))('Is that the Hotel Park?')).toBeNull();
  });

  it.each([
    'Please ask Laura to call me back.',
    'Could you ask Laura to call me back this week?',
    'Have Laura call me.',
  ])('is asked to call back: %s', (said) => {
    const { kind, proofs } = answerAt('Leave a message', 'back', said, 'easy');
    expect([kind, proofs.map(({ objective }) => objective)]).toEqual(['intent', ['back']]);
  });

  it('can be written to, and asked about', () => {
    expect(answerAt('A phone call on a bad line', 'refused', 'Can I write to Anna instead?').kind).toBe('intent');
    expect(answerAt('Leave a message', 'back', 'Who is Laura?').kind).toBe('asks');
  });
});
