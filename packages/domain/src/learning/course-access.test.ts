import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COURSE_STATUSES, PLAN_TYPES } from '../enumerations.ts';
import { type SectionFacts, sectionLock } from './course-access.ts';

const NOW = new Date('2026-11-18T10:00:00Z');
const hoursAgo = (hours: number): Date => new Date(NOW.getTime() - hours * 3_600_000);

const aSection = (changes: Partial<SectionFacts> = {}): SectionFacts => ({
  courseStatus: 'available',
  plan: { plan: 'FREE', confirmedAt: hoursAgo(1) },
  isFirst: false,
  isStarted: false,
  isAssigned: false,
  ...changes,
});

const facts = fc.record({
  courseStatus: fc.constantFrom(...COURSE_STATUSES),
  plan: fc.option(
    fc.record({ plan: fc.constantFrom(...PLAN_TYPES), confirmedAt: fc.integer({ min: 0, max: 200 }).map(hoursAgo) }),
  ),
  isFirst: fc.boolean(),
  isStarted: fc.boolean(),
  isAssigned: fc.boolean(),
});

describe('a section of a course', () => {
  it.each([
    ['the Free plan does not cover it', {}, 'plan'],
    ['the course is coming soon', { courseStatus: 'coming_soon', isFirst: true, isStarted: true }, 'coming_soon'],
    [
      'a paid plan was not confirmed for 72 hours',
      { plan: { plan: 'PLUS', confirmedAt: hoursAgo(72) } },
      'unconfirmed',
    ],
  ] as const)('is locked when %s', (_case, changes, lock) => {
    expect(sectionLock(aSection(changes), NOW)).toBe(lock);
  });

  it.each([
    ['it is the first', { isFirst: true }],
    ['the learner has started it', { isStarted: true }],
    ['a class has been given the course', { isAssigned: true }],
    ['no plans are sold', { plan: null }],
    ['a paid plan was confirmed recently', { plan: { plan: 'PRO', confirmedAt: hoursAgo(71) } }],
    ['a trial is running', { plan: { plan: 'TRIALING', confirmedAt: hoursAgo(0) } }],
  ] as const)('is open when %s', (_case, changes) => {
    expect(sectionLock(aSection(changes), NOW)).toBeNull();
  });

  it('never closes because another condition for opening it is met', () => {
    fc.assert(
      fc.property(facts, fc.constantFrom('isFirst', 'isStarted', 'isAssigned'), (section, reason) => {
        const before = sectionLock(section, NOW);
        const after = sectionLock({ ...section, [reason]: true }, NOW);
        expect(after === null || after === before).toBe(true);
        if (section.courseStatus === 'available') expect(after).toBeNull();
      }),
    );
  });

  it('stays open after a plan ends once it was started', () => {
    fc.assert(
      fc.property(facts, (section) => {
        if (sectionLock(section, NOW) !== null) return;
        const later = { ...section, isStarted: true, plan: { plan: 'FREE', confirmedAt: NOW } } as const;
        expect(sectionLock(later, new Date('2030-01-01T00:00:00Z'))).toBeNull();
      }),
    );
  });
});
