import { describe, expect, it } from 'vitest';
import { comparableWords } from './comparable-words.ts';
import { findQuote, sliceQuote } from './find-quote.ts';
import { writeOutText } from './short-forms.ts';

describe('short forms', () => {
  it.each([
    ['Could u help me pls?', 'Could you help me please?'],
    ['thx, u r very kind', 'thanks, you are very kind'],
    ['idk, my boss didnt say', "i do not know, my boss didn't say"],
    ['I need it asap cuz the client isnt patient', "I need it as soon as possible because the client isn't patient"],
    ['np, im free tmrw', "no problem, I'm free tomorrow"],
  ])('are written out: %s', (said, written) => {
    expect(writeOutText(said)).toBe(written);
    expect(comparableWords(said)).toEqual(comparableWords(written));
  });

  it.each(['M O R E A U', 'R, u, i, z', "It's spelled B-A-U-R.", 'u s a'])(
    'are not the letters of a name: %s',
    (said) => {
      expect(writeOutText(said)).toBe(said);
    },
  );

  it('are quoted as the learner wrote them', () => {
    const said = 'Ok, thx u are very kind';
    const span = findQuote(said, 'thanks you are very kind');
    expect(span === null ? null : sliceQuote(said, span, 100)).toBe('thx u are very kind');
  });
});
