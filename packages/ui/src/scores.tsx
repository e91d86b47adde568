/** Scores as pictures that keep their numbers: colour never stands alone, and what was not measured is a dash. */
import type { PhonemeAssessment, WordAssessment } from '@parley/domain';
import type { ReactElement, ReactNode } from 'react';
import { cx } from './class-names.ts';
import { Icon } from './icons.tsx';
import css from './scores.module.css';

const GOOD_FROM = 75;
const FAIR_FROM = 55;

export type ScoreBand = 'good' | 'fair' | 'weak' | 'none';

export function scoreBand(score: number | null): ScoreBand {
  if (score === null) return 'none';
  if (score >= GOOD_FROM) return 'good';
  return score >= FAIR_FROM ? 'fair' : 'weak';
}

/** A dash for what was not measured. */
export const formatScore = (score: number | null): string => (score === null ? '–' : String(Math.round(score)));

/** The same for a screen reader. */
export const spokenScore = (score: number | null): string =>
  score === null ? 'not measured' : `${Math.round(score)} of 100`;

export function ScoreRing({
  score,
  label,
  size = 128,
}: {
  score: number | null;
  label: string;
  size?: number;
}): ReactElement {
  const stroke = size / 12;
  const radius = (size - stroke) / 2;
  const length = 2 * Math.PI * radius;
  return (
    <div className={cx(css['ring'], css[scoreBand(score)])} role="img" aria-label={`${label}: ${spokenScore(score)}`}>
      <svg width={size} height={size} viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
        <g fill="none" strokeWidth={stroke} strokeLinecap="round" transform={`rotate(-90 ${size / 2} ${size / 2})`}>
          <circle className={css['track']} cx={size / 2} cy={size / 2} r={radius} />
          {score !== null && (
            <circle
              className={css['arc']}
              cx={size / 2}
              cy={size / 2}
              r={radius}
              strokeDasharray={length}
              strokeDashoffset={length * (1 - score / 100)}
            />
          )}
        </g>
      </svg>
      <span className={cx(css['ringNumber'], size < 80 && css['ringSmall'])} aria-hidden="true">
        {formatScore(score)}
      </span>
    </div>
  );
}

export interface DimensionBarProps {
  label: string;
  score: number | null;
  /** Shown where nothing was measured. */
  whyNot: string;
}

export function DimensionBar({ label, score, whyNot }: DimensionBarProps): ReactElement {
  return (
    <div className={cx(css['dimension'], css[scoreBand(score)])}>
      <dt>{label}</dt>
      <dd className={css['bar']} aria-hidden="true">
        {score !== null && <div className={css['fill']} style={{ width: `${score}%` }} />}
      </dd>
      <dd className={css['number']} aria-label={spokenScore(score)}>
        {formatScore(score)}
      </dd>
      {score === null && <dd className={css['why']}>{whyNot}</dd>}
    </div>
  );
}

const LONG_PAUSE_MS = 400;

const ERROR_WORDS: Record<WordAssessment['error'], string> = {
  None: '',
  Omission: 'left out',
  Insertion: 'added',
  Mispronunciation: 'mispronounced',
  UnexpectedBreak: 'unexpected pause before it',
  MissingBreak: 'missing pause before it',
  Monotone: 'flat melody',
};

export interface WordStripProps {
  words: readonly WordAssessment[];
  selected: number | null;
  onSelect: (index: number) => void;
}

/** Words coloured and underlined by score, with the pauses between them. */
export function WordStrip({ words, selected, onSelect }: WordStripProps): ReactElement {
  return (
    <div className={css['words']} role="group" aria-label="Words with their scores">
      {words.map((word, index) => {
        const before = words[index - 1];
        const pauseMs = before === undefined || word.error === 'Omission' ? 0 : word.startMs - before.endMs;
        // The spoken label begins with what is written, so that it can be asked for by voice.
        const written = `${word.word} ${formatScore(word.accuracy)}`;
        const score = word.accuracy === null ? `${written}, not measured` : `${written} of 100`;
        const said = [score, ERROR_WORDS[word.error]].filter(Boolean).join(', ');
        return (
          <span key={index} style={{ display: 'contents' }}>
            {pauseMs >= LONG_PAUSE_MS && (
              <span className={css['break']} title={`Pause of ${(pauseMs / 1000).toFixed(1)} seconds`}>
                <Icon name="pause" size={14} />
              </span>
            )}
            <button
              type="button"
              className={cx(css['word'], css[scoreBand(word.accuracy)], word.error === 'Omission' && css['omitted'])}
              aria-pressed={selected === index}
              aria-label={said}
              onClick={() => onSelect(index)}
            >
              {word.word} <span className={css['wordScore']}>{formatScore(word.accuracy)}</span>
            </button>
          </span>
        );
      })}
    </div>
  );
}

export function PhonemeStrip({ phonemes }: { phonemes: readonly PhonemeAssessment[] }): ReactElement {
  return (
    <ul className={css['phonemes']} aria-label="Sounds with their scores">
      {phonemes.map((phoneme, index) => (
        <li key={index} className={cx(css['phoneme'], css[scoreBand(phoneme.accuracy)])}>
          <span className={css['ipa']}>{phoneme.phoneme}</span>
          <span className={css['wordScore']}>{formatScore(phoneme.accuracy)}</span>
          {phoneme.heardAs?.[0] !== undefined && (
            <span className={css['heard']}>
              sounded like <span className={css['ipa']}>{phoneme.heardAs[0].phoneme}</span>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

export interface WaveformProps {
  /** 0-1, left to right. */
  peaks: readonly number[];
  label: string;
  /** 0-1; null while nothing plays. */
  position?: number | null;
}

const WAVE_WIDTH = 400;
const WAVE_HEIGHT = 56;

export function Waveform({ peaks, label, position = null }: WaveformProps): ReactElement {
  const step = WAVE_WIDTH / Math.max(1, peaks.length);
  const path = peaks
    .map((peak, index) => {
      const half = Math.max(0.6, (peak * WAVE_HEIGHT) / 2);
      return `M${(index * step + step / 2).toFixed(1)} ${(WAVE_HEIGHT / 2 - half).toFixed(1)}v${(half * 2).toFixed(1)}`;
    })
    .join('');
  return (
    <svg
      className={css['wave']}
      viewBox={`0 0 ${WAVE_WIDTH} ${WAVE_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={path} stroke="currentColor" strokeWidth={Math.max(1, step * 0.6)} strokeLinecap="round" />
      {position !== null && (
        <path d={`M${position * WAVE_WIDTH} 0v${WAVE_HEIGHT}`} stroke="var(--color-text)" strokeWidth="1.5" />
      )}
    </svg>
  );
}

/** `level` 0-1. */
export function LevelMeter({ level, isTooLoud = false }: { level: number; isTooLoud?: boolean }): ReactElement {
  return (
    <div
      className={css['meter']}
      role="meter"
      aria-label="Microphone level"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(level * 100)}
    >
      <div
        className={cx(css['meterFill'], isTooLoud && css['meterLoud'])}
        style={{ width: `${Math.min(100, level * 100)}%` }}
      />
    </div>
  );
}

export interface ObjectiveListProps {
  objectives: readonly { objectiveId: string; description: string; provedBy: string | null }[];
  footer?: ReactNode;
}

export function ObjectiveList({ objectives, footer }: ObjectiveListProps): ReactElement {
  return (
    <ul className={css['objectives']}>
      {objectives.map((objective) => {
        const isDone = objective.provedBy !== null;
        return (
          <li key={objective.objectiveId} className={cx(css['objective'], isDone && css['objectiveDone'])}>
            <Icon name={isDone ? 'check' : 'circle'} />
            <span>
              {objective.description}
              <span style={{ position: 'absolute', clipPath: 'inset(50%)' }}>{isDone ? ' (reached)' : ' (open)'}</span>
              {objective.provedBy !== null && <span className={css['proof']}> “{objective.provedBy}”</span>}
            </span>
          </li>
        );
      })}
      {footer}
    </ul>
  );
}
