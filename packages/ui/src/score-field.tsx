/** The score as a field 100 high and 100 wide: a column's width is its weight, its height its score, so the filled area is the score. */
import { type ReactElement, useLayoutEffect, useRef, useState } from 'react';
import { cx } from './class-names.ts';
import { missingPoints, type ScoreColumn } from './score-columns.ts';
import css from './score-field.module.css';

export interface ScoreFieldProps {
  /** In the order of the screen. A column without a score is left out of the field and explained below it. */
  columns: readonly ScoreColumn[];
  /** 0-100. */
  total: number;
  /** One sentence for each column, for screen readers. */
  describe: (column: ScoreColumn) => string;
}

/** Below this share of the height, the missing points have no room in the pale area. */
const MIN_SHARE_FOR_POINTS = 13;
/** Below this score, the number does not fit into the filled area and is shown above it. */
const MIN_SCORE_FOR_NUMBER = 18;

export function ScoreField({ columns, total, describe }: ScoreFieldProps): ReactElement {
  const measured = columns.filter((column) => column.score !== null);
  const points = missingPoints(columns, total);
  const names = useRef<HTMLUListElement>(null);
  const [namesFit, setNamesFit] = useState(true);
  const nameKey = measured.map(({ name, weight }) => `${name}${weight}`).join();
  useLayoutEffect(() => {
    const list = names.current;
    if (list === null) return undefined;
    const measure = (): void =>
      setNamesFit([...list.querySelectorAll('b')].every((label) => label.scrollWidth <= label.clientWidth + 1));
    measure();
    const resizeObserver = new ResizeObserver(measure);
    resizeObserver.observe(list);
    return () => resizeObserver.disconnect();
  }, [nameKey]);
  return (
    <div className={css['scoreField']}>
      <ul className={css['columns']} ref={names}>
        {measured.map((column) => {
          const score = Math.round(column.score ?? 0);
          const missing = points.get(column.id) ?? 0;
          return (
            <li key={column.id} className={css['column']} style={{ flexGrow: column.weight }}>
              <span className={css['spoken']}>{describe(column)}</span>
              <div className={css['area']} aria-hidden="true">
                <span className={css['missing']}>
                  {missing > 0 && 100 - score >= MIN_SHARE_FOR_POINTS ? `−${missing}` : ''}
                  {score < MIN_SCORE_FOR_NUMBER && <b className={css['outside']}>{score}</b>}
                </span>
                <span className={css['filled']} style={{ height: `${column.score ?? 0}%` }}>
                  {score >= MIN_SCORE_FOR_NUMBER && score}
                </span>
                {Array.from({ length: Math.max(0, (column.steps ?? 1) - 1) }, (_, step) => (
                  <i key={step} style={{ bottom: `${((step + 1) * 100) / (column.steps ?? 1)}%` }} />
                ))}
              </div>
              <div className={cx(css['name'], !namesFit && css['hidden'])} aria-hidden="true">
                <b>{column.name}</b>
                <span>{column.weight} %</span>
              </div>
            </li>
          );
        })}
      </ul>
      {!namesFit && (
        <ul className={css['list']} aria-hidden="true">
          {measured.map((column) => (
            <li key={column.id}>
              <b>{column.name}</b> {Math.round(column.score ?? 0)} · {column.weight} %
            </li>
          ))}
        </ul>
      )}
      {columns.length > measured.length && (
        <ul className={css['list']}>
          {columns.map((column) =>
            column.score === null ? (
              <li key={column.id}>
                <b>{column.name}</b> – {column.whyNot}
              </li>
            ) : null,
          )}
        </ul>
      )}
    </div>
  );
}
