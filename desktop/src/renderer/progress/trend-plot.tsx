/** The trend of one dimension: a point for each practice, which opens it, and the mean of five. */
import { t } from '@parley/i18n';
import type { ProgressTrend } from '@parley/contract';
import { MIN_TREND_LINE_POINTS, type ScoreDimension } from '@parley/domain';
import { formatScore, scoreForScreenReader } from '@parley/ui';
import { type KeyboardEvent, type ReactElement, useState } from 'react';
import { DIMENSION_NAMES } from '../foundation/scores/dimension-names.ts';
import { formatDate, formatShortDate } from './format-day.ts';
import css from './progress.module.css';

const WIDTH = 240;
const HEIGHT = 160;
const PLOT = { left: 28, right: WIDTH - 6, top: 44, bottom: 134 } as const;
const GRID_STEP = 20;
/** If there are more points than this, they are drawn smaller. */
const SPARSE_POINTS = 20;

/** A trend's axis may be truncated: it begins at a multiple of 20 below the lowest score, and ends at 100. */
const lowestOf = ({ points }: ProgressTrend): number =>
  Math.min(60, Math.floor(Math.min(100, ...points.map(({ score }) => score)) / GRID_STEP) * GRID_STEP);

export function TrendPlot({ dimension, trend }: { dimension: ScoreDimension; trend: ProgressTrend }): ReactElement {
  const { points, measured, latest, began } = trend;
  const [current, setCurrent] = useState<number | null>(null);
  const name = DIMENSION_NAMES[dimension];
  const low = lowestOf(trend);
  const x = (index: number): number =>
    PLOT.left + ((index + 0.5) * (PLOT.right - PLOT.left)) / Math.max(1, points.length);
  const y = (score: number): number => PLOT.bottom - ((score - low) / (100 - low)) * (PLOT.bottom - PLOT.top);
  const line = points.map(({ mean }, index) => `${x(index).toFixed(1)} ${y(mean).toFixed(1)}`).join('L');
  const slot = (PLOT.right - PLOT.left) / Math.max(1, points.length);
  const gridLines = Array.from({ length: (100 - low) / GRID_STEP + 1 }, (_, index) => low + index * GRID_STEP);
  const [first, last] = [points.at(0), points.at(-1)];
  const withYear = first?.at.getFullYear() !== last?.at.getFullYear();
  const tabStop = Math.min(current ?? points.length - 1, points.length - 1);
  const focusPoint = (event: KeyboardEvent<SVGSVGElement>): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const target = event.currentTarget.querySelectorAll('a')[tabStop + step];
    if (step === 0 || target === undefined) return;
    event.preventDefault();
    target.focus();
  };
  return (
    <svg
      className={css['plot']}
      data-plot
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="group"
      aria-label={
        began === null
          ? t('{name}, recent score: {score}', { name, score: scoreForScreenReader(latest) })
          : t('{name}, recent score: {score}; when you started: {began}', {
              name,
              score: scoreForScreenReader(latest),
              began: formatScore(began),
            })
      }
      onKeyDown={focusPoint}
    >
      <text className={css['plotName']} x={0} y={16} aria-hidden="true">
        {name}
      </text>
      <text x={PLOT.right} y={16} textAnchor="end" aria-hidden="true">
        <tspan className={css['plotNumber']}>{formatScore(latest)}</tspan>
        {began !== null && <tspan> {t('from {score}', { score: formatScore(began) })}</tspan>}
      </text>
      {gridLines.map((score) => (
        <g key={score} aria-hidden="true">
          <path className={css['grid']} d={`M${PLOT.left} ${y(score)}H${PLOT.right}`} />
          <text x={0} y={y(score) + 4}>
            {score}
          </text>
        </g>
      ))}
      {points.length >= MIN_TREND_LINE_POINTS && <path className={css['line']} d={`M${line}`} aria-hidden="true" />}
      {points.map(({ sessionId, at, score }, index) => (
        <a
          key={sessionId}
          className={css['point']}
          href={`#/session/${sessionId}/result`}
          tabIndex={index === tabStop ? 0 : -1}
          aria-label={t('{date}: {score}', { date: formatDate(at), score: scoreForScreenReader(score) })}
          onFocus={() => setCurrent(index)}
        >
          <title>{t('{date}: {score}', { date: formatDate(at), score: scoreForScreenReader(score) })}</title>
          <rect
            className={css['slot']}
            x={x(index) - slot / 2}
            y={PLOT.top - 6}
            width={slot}
            height={PLOT.bottom - PLOT.top + 12}
          />
          <circle cx={x(index)} cy={y(score)} r={points.length > SPARSE_POINTS ? 2.2 : 3.4} />
        </a>
      ))}
      {points.length === 0 && (
        <text x={(PLOT.left + PLOT.right) / 2} y={PLOT.top + (PLOT.bottom - PLOT.top) / 4 + 4} textAnchor="middle">
          {measured === 0 ? t('Not measured yet') : t('Not measured in this period')}
        </text>
      )}
      {first !== undefined && (
        <text x={PLOT.left} y={HEIGHT - 4} aria-hidden="true">
          {formatShortDate(first.at, { withYear })}
        </text>
      )}
      {last !== undefined && points.length > 1 && (
        <text x={PLOT.right} y={HEIGHT - 4} textAnchor="end" aria-hidden="true">
          {formatShortDate(last.at, { withYear })}
        </text>
      )}
    </svg>
  );
}
