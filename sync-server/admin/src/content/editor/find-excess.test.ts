import { type CourseDocument, emptyDocument } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { findExcess } from './find-excess.ts';

const LONGEST_DESCRIPTION = 'a'.repeat(20_000);
const aSection = (title: string) => ({ sectionId: crypto.randomUUID(), title, description: '', items: [] });
const aCourse = (changes: Partial<CourseDocument>): CourseDocument => ({ ...emptyDocument('course'), ...changes });

describe('a document that is being written', () => {
  it('has no excess up to its limits, even if it is incomplete', () => {
    expect(findExcess('course', aCourse({ description: LONGEST_DESCRIPTION }))).toEqual([]);
    expect(findExcess('video', { ...emptyDocument('video'), title: '' })).toEqual([]);
  });

  it('names each field that is too long, with its limit', () => {
    const course = aCourse({ description: `${LONGEST_DESCRIPTION}a`, sections: [aSection('a'.repeat(201))] });
    expect(findExcess('course', course)).toMatchObject([
      { severity: 'error', path: ['description'], values: { place: 'Description', limit: 20_000 } },
      { severity: 'error', path: ['sections', 0, 'title'], values: { place: 'Sections › 1 › Title', limit: 200 } },
    ]);
  });

  it('names a list with too many lines, and a line that is too long', () => {
    const coach = emptyDocument('coach');
    const skills = Array.from({ length: 21 }, () => 'patience');
    expect(findExcess('coach', { ...coach, skills })).toMatchObject([
      { path: ['skills'], values: { place: 'Skills', limit: 20 } },
    ]);
    const traits = ['calm', 'a'.repeat(201)];
    expect(findExcess('coach', { ...coach, characterTraits: traits })).toMatchObject([
      { path: ['characterTraits', 1], values: { place: 'Traits › 2', limit: 200 } },
    ]);
  });
});
