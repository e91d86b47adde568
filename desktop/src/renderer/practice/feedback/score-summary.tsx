/** A score as a number, a sentence, the field that explains it, and how it is measured. */
import { t } from '@parley/i18n';
import type { ScoreDimension } from '@parley/domain';
import { formatScore, missingPoints, type ScoreColumn, ScoreField, scoreForScreenReader } from '@parley/ui';
import type { ReactElement } from 'react';
import {
  DIMENSION_MEANINGS,
  DIMENSION_NAMES,
  DIMENSION_ORDER,
  TECHNICAL_NAMES,
} from '../../foundation/scores/dimension-names.ts';
import css from '../practice.module.css';

export interface ScoreSummaryProps {
  label: string;
  total: number | null;
  columns: readonly ScoreColumn[];
  /** Shown instead of the field when there is no score. */
  whyNot: string;
  /** Why the total differs from other scores on the screen. */
  explanation?: string | null;
  /** The scores of the same practice so far. */
  soFar?: string | null;
}

export function ScoreSummary(props: ScoreSummaryProps): ReactElement {
  const { label, total, columns, whyNot, explanation = null, soFar = null } = props;
  const hasField = total !== null && columns.some(({ score }) => score !== null);
  return (
    <div className={css['summary']} role="status">
      <div className={css['total']}>
        <span className={css['totalNumber']} role="img" aria-label={`${label}: ${scoreForScreenReader(total)}`}>
          {formatScore(total)}
        </span>
        <p>
          {total === null ? (
            whyNot
          ) : hasField ? (
            <>
              {/* The name of the number already says so. */}
              <span aria-hidden="true">{t('of 100.')}</span>
              {scoreSentence(total, columns).slice(t('of 100.').length)}
            </>
          ) : (
            t('of 100. The breakdown wasn’t kept.')
          )}
        </p>
      </div>
      {hasField && (
        <>
          <ScoreField columns={columns} total={total} describe={describeColumn} />
          {explanation !== null && <p className={css['explanation']}>{explanation}</p>}
          {soFar !== null && <p className={css['explanation']}>{soFar}</p>}
          <HowItIsMeasured columns={columns} total={total} />
        </>
      )}
    </div>
  );
}

const describeColumn = ({ name, score, weight }: ScoreColumn): string =>
  t('{name}: {score}, counts for {weight} percent.', { name, score: scoreForScreenReader(score), weight });

/** Says only what the field shows. */
export function scoreSentence(total: number, columns: readonly ScoreColumn[]): string {
  const gap = 100 - Math.round(total);
  const points = missingPoints(columns, total);
  const largest = columns.toSorted((a, b) => (points.get(b.id) ?? 0) - (points.get(a.id) ?? 0))[0];
  const objectives = columns.find(({ id }) => id === 'objectives');
  const sentences = [t('of 100.')];
  if (objectives?.score === 100) sentences.push(t('You did everything you set out to do.'));
  if (largest !== undefined && gap > 0 && columns.length > 1)
    sentences.push(
      t('{gap, plural, one {The one point you lost: {name}.} other {{value} of the # points you lost: {name}.}}', {
        value: points.get(largest.id) ?? 0,
        gap,
        name: largest.name,
      }),
    );
  // A full-width full stop includes its own space.
  return sentences.reduce((text, next) => `${text}${text.endsWith('。') ? '' : ' '}${next}`);
}

const HowItIsMeasured = ({ columns, total }: { columns: readonly ScoreColumn[]; total: number }): ReactElement => (
  <details className={css['measured']}>
    <summary>{t('How this is measured')}</summary>
    <p>
      {t(
        'The wider a column, the more it counts. A full column is 100, and the filled area is your score. The weakest part of your speaking counts most.',
      )}
    </p>
    <ScoreSum columns={columns} total={total} />
    <dl>
      {DIMENSION_ORDER.map((name: ScoreDimension) => (
        <div key={name}>
          <dt>
            {DIMENSION_NAMES[name]} <span>({TECHNICAL_NAMES[name]})</span>
          </dt>
          <dd>{DIMENSION_MEANINGS[name]}</dd>
        </div>
      ))}
    </dl>
  </details>
);

/** The parts rounded to whole points, which add up to the total. */
function ScoreSum({ columns, total }: { columns: readonly ScoreColumn[]; total: number }): ReactElement {
  const missing = missingPoints(columns, total);
  return (
    <table className={css['sum']}>
      <thead>
        <tr>
          <th scope="col">{t('Part')}</th>
          <th scope="col">{t('Score')}</th>
          <th scope="col">{t('Points')}</th>
        </tr>
      </thead>
      <tbody>
        {columns
          .filter(({ score }) => score !== null)
          .map(({ id, name, score, weight }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              <td>{formatScore(score)}</td>
              <td>{t('{points} of {weight}', { points: weight - (missing.get(id) ?? 0), weight })}</td>
            </tr>
          ))}
        <tr>
          <th scope="row">{t('Overall')}</th>
          <td />
          <td>{t('{points} of {weight}', { points: Math.round(total), weight: 100 })}</td>
        </tr>
      </tbody>
    </table>
  );
}
