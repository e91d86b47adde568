/** The columns of a session's score field: what was spoken, and what was achieved. */
import { t } from '@parley/i18n';
import { type DimensionScores, PRON_SHARE, pronWeights } from '@parley/domain';
import type { ScoreColumn } from '@parley/ui';
import { DIMENSION_NAMES, DIMENSION_ORDER, NOT_MEASURED_REASONS } from './dimension-names.ts';

export interface ObjectiveCount {
  done: number;
  total: number;
}

/** Without objectives, the spoken dimensions take up the whole width. */
export function spokenColumns(dimensions: DimensionScores, objectives: ObjectiveCount | null): ScoreColumn[] {
  const weights = pronWeights(dimensions);
  const hasObjectives = objectives !== null && objectives.total > 0;
  const share = hasObjectives ? PRON_SHARE : 1;
  const spoken = DIMENSION_ORDER.map((name) => ({
    id: name,
    name: DIMENSION_NAMES[name],
    score: dimensions[name],
    weight: Math.round((weights[name] ?? 0) * share * 100),
    whyNot: NOT_MEASURED_REASONS[name],
  }));
  return hasObjectives ? [...spoken, objectivesColumn(objectives, Math.round((1 - PRON_SHARE) * 100))] : spoken;
}

/** A written session: what was achieved and, when a coach judged it, the language. */
export function writtenColumns(objectives: ObjectiveCount, languageQuality: number | null): ScoreColumn[] {
  const hasObjectives = objectives.total > 0;
  const weight = languageQuality === null || !hasObjectives ? 100 : 50;
  const language = { id: 'language', name: t('Language'), score: languageQuality, weight };
  return [
    ...(hasObjectives ? [objectivesColumn(objectives, weight)] : []),
    ...(languageQuality === null ? [] : [language]),
  ];
}

/** The filled area of a score field. */
const areaOf = (columns: readonly ScoreColumn[]): number =>
  columns.reduce((sum, { score, weight }) => sum + ((score ?? 0) * weight) / 100, 0);

/** The columns that come closest to the total: objectives that no coach could judge are not part of it. */
export function columnsThatAddUp(total: number | null, candidates: readonly ScoreColumn[][]): ScoreColumn[] {
  const distance = (columns: readonly ScoreColumn[]): number => Math.abs(areaOf(columns) - (total ?? 0));
  return candidates.toSorted((a, b) => distance(a) - distance(b))[0] ?? [];
}

const objectivesColumn = ({ done, total }: ObjectiveCount, weight: number): ScoreColumn => ({
  id: 'objectives',
  name: t('Objectives'),
  score: (done / total) * 100,
  weight,
  steps: total,
});
