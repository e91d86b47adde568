import { ORPCError } from '@orpc/client';
import { ERROR_STATUS_BY_CODE, type ErrorCode } from '@parley/contract';
import { entities, ENTITY_KEYS } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { errorCode, errorSentence, mayWorkLater } from './error-sentence.ts';
import { readersOf } from './live-queries.ts';
import { whenOf } from './when.ts';

describe('a failure', () => {
  const codes = Object.keys(ERROR_STATUS_BY_CODE) as ErrorCode[];
  it.each(codes)('%s is told in whole sentences, the last of which helps', (code) => {
    const sentence = errorSentence(new ORPCError(code));
    expect(sentence).toMatch(/^[A-Z].*[a-z)]\.$/);
    expect(sentence).not.toMatch(/error|exception|invalid|null|undefined|\bcode\b(?! is)/i);
    expect(sentence.length).toBeLessThan(140);
  });

  it('has a sentence of its own for each code', () => {
    expect(new Set(codes.map((code) => errorSentence(new ORPCError(code)))).size).toBe(codes.length);
  });

  it.each([new Error('boom'), new ORPCError('SOMETHING_ELSE'), new ORPCError('constructor'), 'text', null, undefined])(
    'that nobody foresaw (%s) is told as such, without its insides',
    (error) => {
      expect(errorCode(error)).toBe('internal');
      expect(errorSentence(error)).not.toContain('boom');
    },
  );
});

describe('a budget that is used up', () => {
  const resetsAt = '2026-11-23T00:00:00.000Z';
  it.each(['learner', 'anonymous', undefined])('(%s) says when it resets, and what works meanwhile', (detail) => {
    const sentence = errorSentence(new ORPCError('coach.spent', { data: { detail, resetsAt } }));
    expect(sentence).toContain(whenOf(resetsAt));
    expect(sentence).toMatch(/Guided practices still work\.$/);
  });

  it('is told without a time by a server that names none', () => {
    expect(errorSentence(new ORPCError('coach.spent'))).toContain('tomorrow');
  });
});

describe('asking again', () => {
  it.each([
    ['sign_in.link_spent', false],
    ['practice.not_found', false],
    ['sync.offline', true],
    ['billing.unavailable', true],
    ['internal', true],
  ] as const)('after %s is offered where it may help', (code, may) => {
    expect(mayWorkLater(new ORPCError(code))).toBe(may);
  });
});

describe('a table that changed', () => {
  it('makes the screens that show it ask again', () => {
    expect(readersOf(['practice_history'])).toEqual(new Set(['practice', 'history', 'today', 'catalogue']));
    expect(readersOf(['users', 'courses'])).toEqual(new Set(['settings', 'today', 'coach', 'account', 'catalogue']));
    expect(readersOf(['nobody shows this'])).toEqual(new Set());
  });

  it('of the catalogue is shown somewhere', () => {
    const shown = ['videos', 'course_section_videos', 'prices', 'products', 'blog_posts'];
    const unseen = ENTITY_KEYS.filter((key) => entities[key].owner === 'catalogue')
      .map((key): string => entities[key].name)
      .filter((name) => readersOf([name]).size === 0 && !shown.includes(name));
    expect(unseen).toEqual([]);
  });
});
