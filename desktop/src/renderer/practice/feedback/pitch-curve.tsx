/** Draws a sentence's pitch over time on a logarithmic scale, with its pauses shaded. */
import { t } from '@parley/i18n';
import type { Assessment } from '@parley/domain';
import { MutedText } from '@parley/ui';
import type { ReactElement } from 'react';
import css from '../practice.module.css';
import { pitchSentence } from './pitch-sentence.ts';

const WIDTH = 400;
const HEIGHT = 60;
const MARGIN = 4;
const GAP_MS = 60;
/** The share of pitches to ignore at each end: creaks and detection errors would flatten the rest of the curve. */
const OUTLIER_SHARE = 0.05;

type PitchCurveProps = Pick<Assessment, 'pitch' | 'pauses' | 'durationMs'>;

export function PitchCurve({ pitch, pauses, durationMs }: PitchCurveProps): ReactElement | null {
  if (pitch.length < 2 || durationMs === 0) return null;
  const pitches = pitch.map(({ hz }) => Math.log2(hz)).toSorted((a, b) => a - b);
  const low = pitches[Math.floor(pitches.length * OUTLIER_SHARE)] ?? 0;
  const high = Math.max(pitches[Math.ceil(pitches.length * (1 - OUTLIER_SHARE)) - 1] ?? 0, low + 0.1);
  const path = pitch
    .map(({ ms, hz }, index) => {
      const startsNewStroke = index === 0 || ms - (pitch[index - 1]?.ms ?? 0) > GAP_MS;
      const x = (ms / durationMs) * WIDTH;
      const relativeHeight = Math.min(1, Math.max(0, (Math.log2(hz) - low) / (high - low)));
      const y = HEIGHT - MARGIN - relativeHeight * (HEIGHT - 2 * MARGIN);
      return `${startsNewStroke ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
  const description = pitchSentence(high - low, pauses.length);
  return (
    <figure className={css['melody']}>
      <figcaption>
        {t('Your melody')} <MutedText small>{description}</MutedText>
      </figcaption>
      <svg
        className={css['pitch']}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('Your melody')}
      >
        {pauses.map(({ startMs, endMs }) => (
          <rect
            key={startMs}
            x={(startMs / durationMs) * WIDTH}
            y={0}
            width={((endMs - startMs) / durationMs) * WIDTH}
            height={HEIGHT}
            fill="var(--sunken)"
          />
        ))}
        <path
          d={path}
          fill="none"
          stroke="var(--you)"
          strokeWidth="2.5"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </figure>
  );
}
