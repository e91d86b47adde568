import { ENGLISH_LEVELS } from '@parley/domain';
import { expect, it } from 'vitest';
import { LEVEL_NAMES_IN_SENTENCES } from './level-names.ts';
import { suggestionSentence } from './suggestion-sentence.ts';

it.each(['first', 'new', 'new_at_level'] as const)(
  'repeats neither the level nor the minutes of the practice’s card: %s',
  (code) => {
    const sentence = suggestionSentence({ code });
    for (const level of ENGLISH_LEVELS) expect(sentence).not.toContain(LEVEL_NAMES_IN_SENTENCES[level]);
    expect(sentence).not.toMatch(/\d/);
  },
);
