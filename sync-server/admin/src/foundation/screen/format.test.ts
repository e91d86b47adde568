import { activateLanguage, SOURCE_LANGUAGE } from '@parley/i18n';
import { afterEach, expect, it, vi } from 'vitest';
import { formatAge, formatCost, formatDay, formatNumber, formatShare, personName } from './format.ts';

afterEach(() => {
  activateLanguage(SOURCE_LANGUAGE, {});
  vi.useRealTimers();
});

const daysAgo = (days: number): string => new Date(Date.now() - days * 24 * 3_600_000).toISOString();

it('writes for British readers by default', () => {
  expect(formatDay('2026-03-05T10:00:00Z', 'UTC')).toBe('5 Mar 2026');
  expect([formatNumber(1_500), formatShare(0.42), formatCost(1_500_000)]).toEqual(['1,500', '42%', '$1.50']);
  expect([0, 1, 5].map((days) => formatAge(daysAgo(days)))).toEqual(['today', 'yesterday', '5 days ago']);
});

it('writes as readers of the active language expect', () => {
  activateLanguage('de', {});
  expect(formatDay('2026-03-05T10:00:00Z', 'UTC')).toBe('05.03.2026');
  expect([formatNumber(1_500), formatCost(1_500_000)]).toEqual(['1.500', '1,50\u00a0$']);
  expect([0, 1, 5].map((days) => formatAge(daysAgo(days)))).toEqual(['heute', 'gestern', 'vor 5 Tagen']);
});

it('keeps the sign of a cost behind its letters in Arabic', () => {
  activateLanguage('ar', {});
  expect(formatCost(1_500_000)).toContain('US$\u200E');
});

it('names a person by their address if nothing of their name can be seen', () => {
  const email = 'ana@school.example';
  expect(personName({ firstName: '\u200B', lastName: ' ', email })).toBe(email);
  expect(personName({ firstName: 'Ana', lastName: null, email })).toBe('Ana');
});

it('counts calendar days in an age', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-30T08:00:00Z') });
  expect(formatAge('2026-11-30T01:00:00Z')).toBe('today');
  expect(formatAge('2026-11-29T22:00:00Z')).toBe('yesterday');
  expect(formatAge('2026-11-30T09:00:00Z')).toBe('today');
});
