/** Several clauses without punctuation, as recognisers write them. */
import { describe, expect, it } from 'vitest';
import { answerAt } from '../../../test-kit/scene-coaches.ts';

describe('clauses without punctuation', { timeout: 60_000 }, () => {
  it.each([
    ['Check in at a hotel', 'nights', 'two nights where can i park my car', 'nights', /park behind the building/],
    ['See a doctor', 'tablets', 'yes three times a day can i drink alcohol', 'advice', /don't drink alcohol/],
    ['Rent a flat', 'who', 'im a nurse how many rooms has the flat', 'who', /square metres/],
  ])('contain a question that is answered: %s, %s, “%s”', (title, node, said, objective, reply) => {
    const { coach, objectives, kind } = answerAt(title, node, said);
    expect({ kind, objectives }).toEqual({ kind: 'intent', objectives: [objective] });
    expect(coach).toMatch(reply);
  });

  it.each(['is it loud i want quiet room', "Is it loud? I'd like a quiet room, please."])(
    'may begin with a question: %s',
    (said) => {
      expect(answerAt('Check in at a hotel', 'room', said)).toMatchObject({ kind: 'intent', objectives: ['request'] });
    },
  );

  it('each meet an objective', () => {
    const { objectives } = answerAt('See a doctor', 'opening', 'i have a headache since three days i take no medicine');
    expect(objectives).toEqual(['complaint', 'since', 'medicine']);
  });

  it('tell what the coach need not ask for', () => {
    const said = 'hi anna schmidt here i want to move my booking from the third of may to the fifth';
    expect(answerAt('Change a booking by phone', 'pick-up', said)).toMatchObject({
      reply: 'price',
      objectives: ['change', 'booking', 'new'],
    });
  });

  it('are not proved by a mere “Yes.”', () => {
    const said = "Yes. You'd have one contact, me, and we deliver within 24 hours or it's free.";
    const { proofs } = answerAt('Meet a client for the first time', 'late', said, 'hard');
    expect(proofs.map(({ words }) => words)).toEqual([said]);
  });
});
