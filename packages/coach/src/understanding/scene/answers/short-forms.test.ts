/** Answers as people type them in a hurry, and as recognisers write them, without apostrophes. */
import { describe, expect, it } from 'vitest';
import { answerAt } from '../../../test-kit/scene-coaches.ts';

describe('short forms and missing apostrophes', { timeout: 60_000 }, () => {
  it.each([
    ['Report a lost suitcase', 'opening', 'my suitcase didnt come', 'missing'],
    ['Explain a delay to a client', 'opening', 'your order wont arrive on friday', 'name-the-delay'],
    ['Explain a delay to a client', 'upset', 'so sry about that', 'apologise'],
    ['Ask a colleague for help', 'hello', 'plz help', 'ask-politely'],
    ['Ask a colleague for help', 'thanks', 'thx u r a lifesaver', 'thank'],
    ['Say no to a request', 'request', 'sry cant do it', 'kind'],
  ])('meet an objective: %s, %s, “%s”', (title, node, said, objective) => {
    expect(answerAt(title, node, said).objectives).toContain(objective);
  });

  it('are not taken for another language or for noise', () => {
    expect(answerAt('Ask a colleague for help', 'what', 'idk').kind).toBe('asks');
    expect(answerAt('Talk to a stranger at a conference', 'together', 'ofc').kind).toBe('intent');
  });
});
