/** A row of bars, one for each week, with a description of the values for screen readers. */
import type { ReactElement } from 'react';
import css from './plot.module.css';

const WIDTH = 100;
const HEIGHT = 32;

/** The last bar is the current week. A week without a value has a dot, because a missing value is not zero. */
export function Bars({
  label,
  values,
  max,
}: {
  label: string;
  values: readonly (number | null)[];
  max?: number;
}): ReactElement {
  const top = max ?? Math.max(1, ...values.map((value) => value ?? 0));
  const step = WIDTH / values.length;
  return (
    <svg
      className={css['bars']}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {values.map((value, index) => {
        const height = value === null ? 1 : Math.max(1, (value / top) * (HEIGHT - 2));
        return (
          <rect
            key={index}
            x={index * step + step * 0.2}
            y={HEIGHT - height}
            width={step * 0.6}
            height={height}
            className={index === values.length - 1 ? css['now'] : css['before']}
          />
        );
      })}
    </svg>
  );
}
