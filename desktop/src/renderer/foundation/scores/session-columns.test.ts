import { scoreSession } from '@parley/domain';
import { describe, expect, it } from 'vitest';
import { columnsThatAddUp, spokenColumns, writtenColumns } from './session-columns.ts';

const areaOf = (columns: readonly { score: number | null; weight: number }[]): number =>
  columns.reduce((sum, { score, weight }) => sum + ((score ?? 0) * weight) / 100, 0);

describe('the filled area of the score field', () => {
  it('is the overall score of the design: 86', () => {
    const columns = spokenColumns({ accuracy: 68, prosody: 79, fluency: 84, completeness: 100 }, { done: 4, total: 4 });
    expect(columns.map(({ name, weight }) => [name, weight])).toEqual([
      ['Sounds', 28],
      ['Melody', 14],
      ['Flow', 14],
      ['Completeness', 14],
      ['Objectives', 30],
    ]);
    expect(Math.round(areaOf(columns))).toBe(86);
  });
  it('keeps a column that was not measured out of the sum, and says why', () => {
    const columns = spokenColumns({ accuracy: 60, prosody: null, fluency: 90, completeness: null }, null);
    expect(columns.map(({ weight }) => weight)).toEqual([60, 0, 40, 0]);
    expect(columns[1]).toMatchObject({ score: null, whyNot: expect.stringContaining('five words') });
    expect(areaOf(columns)).toBe(72);
  });
  it('has two columns for a written session that a coach judged', () => {
    const columns = writtenColumns({ done: 1, total: 4 }, 45);
    const { overall } = scoreSession({
      communicationStyle: 'text',
      assessments: [],
      objectivesDone: 1,
      objectivesTotal: 4,
      languageQuality: 45,
    });
    expect(areaOf(columns)).toBe(overall);
  });
  it('leaves out the objectives where they are not part of the total', () => {
    const dimensions = { accuracy: 60, fluency: 80, prosody: null, completeness: null };
    const both = [spokenColumns(dimensions, { done: 0, total: 4 }), spokenColumns(dimensions, null)];
    // (0.6 x 60 + 0.4 x 80) x 0.7, because objectives make up the other 0.3.
    expect(areaOf(columnsThatAddUp(68, both))).toBe(68);
    expect(columnsThatAddUp(68, both).map(({ id }) => id)).not.toContain('objectives');
    expect(columnsThatAddUp(47.6, both).map(({ id }) => id)).toContain('objectives');
  });
});
