import { describe, expect, it } from 'vitest';
import { namesIn, spellDraftedWord } from './spell-draft.ts';

const spell = (text: string, texts: readonly string[] = []): string =>
  text
    .split(' ')
    .map((word, index) => spellDraftedWord(word, { isFirst: index === 0, names: namesIn(texts) }))
    .join(' ');

describe('the spelling of a draft', () => {
  it('writes the first word, days, months, “I” and “English” with a capital', () => {
    expect(spell("by thursday i'd be in england")).toBe("By Thursday I'd be in england");
    expect(spell("it is monday's english lesson in june")).toBe("It is Monday's English lesson in June");
  });

  it('leaves “may” and “march” as they are', () => {
    expect(spell('you may march on')).toBe('You may march on');
  });

  it('writes a name as the practice writes it', () => {
    expect(spell('this is daniel', ['Good morning, Daniel.', 'Yes.'])).toBe('This is Daniel');
  });

  it('writes an abbreviation as the practice writes it', () => {
    expect(spell("my cv is on hr's list", ['Send your CV to HR.'])).toBe("My CV is on HR's list");
    expect(spell('cv', ['Send your CV to HR.'])).toBe('CV');
  });

  it('takes no word for a name because it begins a sentence', () => {
    expect(spell('it is good', ['I see. Good.', '“Good.” It helps.', 'Good morning.'])).toBe('It is good');
    expect(spell('it is good', ['Oh, Good.', 'a good idea'])).toBe('It is good');
  });
});
