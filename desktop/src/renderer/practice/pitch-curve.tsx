/** The melody of a sentence: pitch over time, on a musical (logarithmic) scale, with its pauses shaded. */
import type { Assessment } from '@parley/domain';
import { Quiet } from '@parley/ui';
import type { ReactElement } from 'react';
import css from './practice.module.css';

const WIDTH = 400;
const HEIGHT = 60;
const MARGIN = 4;
const GAP_MS = 60;
/** Of a voice's pitches, the lowest and the highest of this share are creaks and slips, which would flatten all the rest. */
const OUTER_SHARE = 0.05;

type PitchCurveProps = Pick<Assessment, 'pitch' | 'pauses' | 'durationMs'>;

export function PitchCurve({ pitch, pauses, durationMs }: PitchCurveProps): ReactElement | null {
  if (pitch.length < 2 || durationMs === 0) return null;
  const pitches = pitch.map(({ hz }) => Math.log2(hz)).toSorted((a, b) => a - b);
  const low = pitches[Math.floor(pitches.length * OUTER_SHARE)] ?? 0;
  const high = Math.max(pitches[Math.ceil(pitches.length * (1 - OUTER_SHARE)) - 1] ?? 0, low + 0.1);
  const path = pitch
    .map(({ ms, hz }, index) => {
      const isNewStroke = index === 0 || ms - (pitch[index - 1]?.ms ?? 0) > GAP_MS;
      const x = (ms / durationMs) * WIDTH;
      const share = Math.min(1, Math.max(0, (Math.log2(hz) - low) / (high - low)));
      const y = HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN);
      return `${isNewStroke ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
  const range = `mostly from ${Math.round(2 ** low)} to ${Math.round(2 ** high)} hertz`;
  const paused = pauses.length === 0 ? 'no pause' : pauses.length === 1 ? 'one pause' : `${pauses.length} pauses`;
  return (
    <figure className={css['melody']}>
      <figcaption>
        Your melody{' '}
        <Quiet small>
          {range}, {paused}
        </Quiet>
      </figcaption>
      <svg
        className={css['pitch']}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Melody of your voice, ${range}, ${paused}`}
      >
        <title>
          Your melody, {range}, {paused}
        </title>
        {pauses.map(({ startMs, endMs }) => (
          <rect
            key={startMs}
            x={(startMs / durationMs) * WIDTH}
            y={0}
            width={((endMs - startMs) / durationMs) * WIDTH}
            height={HEIGHT}
            fill="var(--color-sunken)"
          />
        ))}
        <path
          d={path}
          fill="none"
          stroke="var(--color-accent)"
          strokeWidth="2.5"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </figure>
  );
}
