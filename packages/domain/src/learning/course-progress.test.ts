import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENGLISH_LEVELS } from '../enumerations.ts';
import { compareCourses, type CoursePart, type CourseOutline, courseProgress } from './course-progress.ts';

const item = (id: string, changes: Partial<CoursePart> = {}): CoursePart => ({
  kind: 'practice',
  id,
  isReady: true,
  ...changes,
});
const outline = (...sections: CoursePart[][]): CourseOutline => ({
  sections: sections.map((items) => ({ lock: null, items })),
});
const done = (...ids: string[]) => ({ completedPractices: new Set(ids), watchedVideos: new Set<string>() });

const items = fc.array(
  fc.record({
    kind: fc.constantFrom('practice', 'video'),
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    isReady: fc.boolean(),
  }),
  { maxLength: 6 },
);
const courses = fc.record({
  sections: fc.array(fc.record({ lock: fc.constantFrom(null, 'plan', 'unconfirmed'), items }), { maxLength: 4 }),
});
const records = fc.record({
  completedPractices: fc.subarray(['a', 'b', 'c', 'd', 'e', 'f']).map((ids) => new Set(ids)),
  watchedVideos: fc.subarray(['a', 'b', 'c', 'd', 'e', 'f']).map((ids) => new Set(ids)),
});

describe('progress in a course', () => {
  it('leads through the sections in order to the end', () => {
    const course = outline([item('a'), item('b')], [item('film', { kind: 'video' })]);
    expect(courseProgress(course, done())).toEqual({ done: 0, total: 3, next: item('a'), isFinished: false });
    expect(courseProgress(course, done('a', 'b')).next?.id).toBe('film');
    const all = { ...done('a', 'b'), watchedVideos: new Set(['film']) };
    expect(courseProgress(course, all)).toEqual({ done: 3, total: 3, next: null, isFinished: true });
  });

  it('ignores items that are not ready, repeated practices and locked sections', () => {
    const course: CourseOutline = {
      sections: [
        { lock: null, items: [item('a'), item('soon', { isReady: false })] },
        { lock: 'plan', items: [item('b'), item('a')] },
      ],
    };
    expect(courseProgress(course, done('a'))).toEqual({ done: 1, total: 2, next: null, isFinished: false });
  });

  it('is not finished where there is nothing to do', () => {
    expect(courseProgress(outline([]), done()).isFinished).toBe(false);
  });

  it('only grows as more is done, and ends when nothing is left', () => {
    fc.assert(
      fc.property(courses, records, records, (course, one, other) => {
        const both = {
          completedPractices: new Set([...one.completedPractices, ...other.completedPractices]),
          watchedVideos: new Set([...one.watchedVideos, ...other.watchedVideos]),
        };
        const [before, after] = [courseProgress(course, one), courseProgress(course, both)];
        expect(after.total).toBe(before.total);
        expect(after.done).toBeGreaterThanOrEqual(before.done);
        expect(after.done).toBeLessThanOrEqual(after.total);
        expect(after.isFinished).toBe(after.total > 0 && after.done === after.total);
        if (after.isFinished) expect(after.next).toBeNull();
      }),
    );
  });

  it('offers only items that are ready, open and not done', () => {
    fc.assert(
      fc.property(courses, records, (course, record) => {
        const { next } = courseProgress(course, record);
        const open = course.sections.flatMap((section) => (section.lock === null ? section.items : []));
        const todo = open.filter(
          ({ kind, id, isReady }) =>
            isReady && !(kind === 'practice' ? record.completedPractices : record.watchedVideos).has(id),
        );
        expect(next).toEqual(todo[0] ?? null);
      }),
    );
  });
});

describe('the order of courses', () => {
  it('begins with beginners and ends with courses that are coming soon', () => {
    const [beginner, intermediate, advanced] = ENGLISH_LEVELS;
    const titles = [
      { title: 'Lead', status: 'available', levels: [advanced, intermediate] },
      { title: 'Soon', status: 'coming_soon', levels: [beginner] },
      { title: 'Phone', status: 'available', levels: [beginner, intermediate] },
      { title: 'Travel', status: 'available', levels: [beginner] },
      { title: 'First steps', status: 'available', levels: [beginner] },
      { title: 'Videos only', status: 'available', levels: [] },
    ] as const;
    expect([...titles].toSorted(compareCourses).map(({ title }) => title)).toEqual([
      'First steps',
      'Travel',
      'Phone',
      'Lead',
      'Videos only',
      'Soon',
    ]);
  });
});
