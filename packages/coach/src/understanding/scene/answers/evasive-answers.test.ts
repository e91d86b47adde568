/** Answers without information at the steps of the scenes that ship: they prove nothing. */
import { describe, expect, it } from 'vitest';
import { answerAt } from '../../../test-kit/scene-coaches.ts';

describe('evasive answer', { timeout: 60_000 }, () => {
  it.each([
    ['Own up to a mistake', 'effect', "It wasn't my fault."],
    ['Explain a delay to a client', 'reason', "It wasn't my fault."],
    ['Explain a delay to a client', 'opening', 'We did nothing wrong, it is your mistake.'],
    ['Explain a delay to a client', 'upset', "I'm not going to apologise."],
    ['Explain a delay to a client', 'upset', "I won't say sorry for that, it was the driver."],
    ['Own up to a mistake', 'angry', "I won't say sorry for that."],
    ['Own up to a mistake', 'door', "I didn't do anything wrong."],
    ['Negotiate a deadline', 'demand', "I can't tell you why."],
    ['Negotiate a deadline', 'why', "It's not my problem."],
    ['Negotiate a deadline', 'written', "I don't know."],
    ['Present quarterly results', 'cause', 'We did nothing wrong, it is your mistake.'],
    ['Rent a flat', 'insist', "I don't know."],
    ['Rent a flat', 'insist', "That's not true."],
    ['Run a short meeting', 'task', "I can't tell you when."],
    ['Hand over your work before a holiday', 'urgent', "I can't promise anything."],
    ['See a doctor', 'medicine', "I don't want to talk about it."],
  ])('proves nothing: %s, %s, %s', (title, node, said) => {
    const { objectives } = answerAt(title, node, said);
    expect(objectives).toEqual([]);
  });

  it.each([
    ['Explain a delay to a client', 'upset', "I'm very sorry, but I can't tell you why.", 'apologise'],
    [
      'Explain a delay to a client',
      'reason',
      "I don't know exactly, but our supplier had a strike.",
      'give-the-reason',
    ],
    ['Ask a colleague for help', 'what', "I don't know how to print this.", 'explain'],
    ['Ask a colleague for help', 'tried', "I don't remember my password.", 'explain'],
    ['Say no to a request', 'request', "I'm sorry, I can't help you.", 'refuse'],
    ['Change a booking by phone', 'refund', "That's not fair.", 'cost'],
    ['Negotiate a deadline', 'sure', "I can't promise that.", 'push-back'],
  ])('proves what an author accepts, and what else it says: %s, %s, %s', (title, node, said, objective) => {
    expect(answerAt(title, node, said).objectives).toContain(objective);
  });
});
