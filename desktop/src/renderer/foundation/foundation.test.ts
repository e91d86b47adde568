import { ORPCError } from '@orpc/client';
import { ERROR_STATUS_BY_CODE, type ErrorCode } from '@parley/contract';
import { entities, ENTITY_KEYS } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { errorCode, errorSentence, isWorthRetrying } from './sentences/error-sentence.ts';
import { queryGroupsReading } from './host/query-invalidation.ts';
import { formatDateTime } from './sentences/format-date.ts';

describe('error sentences', () => {
  const codes = Object.keys(ERROR_STATUS_BY_CODE) as ErrorCode[];
  it.each(codes)('explains %s in complete sentences', (code) => {
    const sentence = errorSentence(new ORPCError(code));
    expect(sentence).toMatch(/^[A-Z].*[a-z)]\.$/);
    expect(sentence).not.toMatch(/error|exception|invalid|null|undefined|\bcode\b(?! is)/i);
    expect(sentence.length).toBeLessThan(140);
  });

  it('has a different sentence for each code', () => {
    expect(new Set(codes.map((code) => errorSentence(new ORPCError(code)))).size).toBe(codes.length);
  });

  it.each([new Error('boom'), new ORPCError('SOMETHING_ELSE'), new ORPCError('constructor'), 'text', null, undefined])(
    'hides the details of an unexpected error (%s)',
    (error) => {
      expect(errorCode(error)).toBe('internal');
      expect(errorSentence(error)).not.toContain('boom');
    },
  );
});

describe('an exhausted budget', () => {
  const resetsAt = '2026-11-23T00:00:00.000Z';
  it.each(['learner', 'anonymous', undefined])('of scope %s says when it resets and what still works', (detail) => {
    const sentence = errorSentence(new ORPCError('coach.spent', { data: { detail, resetsAt } }));
    expect(sentence).toContain(formatDateTime(resetsAt));
    expect(sentence).toMatch(/Guided practices still work\.$/);
  });

  it('falls back to "tomorrow" when the server sends no reset time', () => {
    expect(errorSentence(new ORPCError('coach.spent'))).toContain('tomorrow');
  });
});

describe('a retry', () => {
  it.each([
    ['sign_in.link_spent', false],
    ['practice.not_found', false],
    ['sync.offline', true],
    ['billing.unavailable', true],
    ['internal', true],
  ] as const)('is offered after %s only where it may help', (code, may) => {
    expect(isWorthRetrying(new ORPCError(code))).toBe(may);
  });
});

describe('a changed table', () => {
  it('invalidates the queries that read it', () => {
    expect(queryGroupsReading(['practice_history'])).toEqual(
      new Set(['practice', 'history', 'today', 'catalogue', 'courses', 'progress']),
    );
    expect(queryGroupsReading(['users', 'courses'])).toEqual(
      new Set(['settings', 'today', 'coach', 'account', 'catalogue', 'courses', 'progress']),
    );
    expect(queryGroupsReading(['an_unknown_table'])).toEqual(new Set());
  });

  it('is read by some query when it belongs to the catalogue', () => {
    const shown = ['prices', 'products'];
    const unseen = ENTITY_KEYS.filter((key) => entities[key].owner === 'catalogue')
      .map((key): string => entities[key].name)
      .filter((name) => queryGroupsReading([name]).size === 0 && !shown.includes(name));
    expect(unseen).toEqual([]);
  });
});
