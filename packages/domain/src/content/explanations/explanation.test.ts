import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { explain, Explanation, explanationText, explainIssue } from './index.ts';

describe('an explanation', () => {
  it('is a sentence in English where no language is given', () => {
    expect(explanationText(explain('step.line_missing', { step: 'opening', level: 'intermediate' }))).toBe(
      '“opening” has no line at the level Medium.',
    );
  });

  it('is looked up in the reader’s language, and so is the level in it', () => {
    const asked: unknown[] = [];
    explanationText(explain('step.line_missing', { step: 'opening', level: 'hard' }), (message, values) => {
      asked.push([message, values]);
      return message;
    });
    expect(asked).toEqual([
      ['Hard', undefined],
      ['“{step}” has no line at the level {level}.', { step: 'opening', level: 'Hard' }],
    ]);
  });

  it('has the beginning of a long text, without half a character', () => {
    const { values } = explain('post.tag_invalid', { tag: `${'x'.repeat(199)}😀` });
    expect(values['tag']).toBe(`${'x'.repeat(199)}\uFFFD`);
  });

  it('has only codes that screens know', () => {
    expect(Explanation.safeParse({ code: 'nothing.known', values: {} }).success).toBe(false);
  });
});

describe('the findings of a schema', () => {
  const schema = z.strictObject({ title: z.string().max(3), level: z.enum(['a', 'b']), tags: z.array(z.int()).min(1) });
  const explained = (value: unknown) => schema.safeParse(value).error?.issues.map((issue) => explainIssue(issue));

  it.each([
    [{ title: 'long', level: 'a', tags: [1] }, 'value.too_large', { place: 'title', limit: 3 }],
    [{ title: 'x', level: 'c', tags: [1] }, 'value.not_allowed', { place: 'level', allowed: 'a, b' }],
    [{ title: 'x', level: 'a', tags: [] }, 'value.too_small', { place: 'tags', limit: 1 }],
    [{ title: 'x', level: 'a', tags: ['1'] }, 'value.invalid', { place: 'tags › 0' }],
    [{ level: 'a', tags: [1] }, 'value.missing', { place: 'title' }],
    [{ title: 'x', level: 'a', tags: [1], more: 1 }, 'value.unknown', { name: 'more' }],
    [[], 'file.wrong_form', {}],
  ])('in %j has a code', (value, code, values) => {
    expect(explained(value)).toEqual([{ code, values }]);
  });
});
