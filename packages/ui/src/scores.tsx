/** Charts of scores. Every colour comes with its number, and an unmeasured score is a dash. */
import { formatSeconds, t } from '@parley/i18n';
import { Trans } from '@lingui/react';
import type { PhonemeAssessment, WordAssessment } from '@parley/domain';
import type { ReactElement, ReactNode } from 'react';
import { cx } from './class-names.ts';
import { Icon } from './icons.tsx';
import css from './scores.module.css';
import { typographic } from './typographic.ts';
import { useRovingFocus } from './use-roving-focus.ts';

const GOOD_FROM = 80;
const FAIR_FROM = 60;

export type ScoreBand = 'good' | 'fair' | 'weak' | 'none';

/** `score` is 0-100; null was not measured. */
export function scoreBand(score: number | null): ScoreBand {
  if (score === null) return 'none';
  if (score >= GOOD_FROM) return 'good';
  return score >= FAIR_FROM ? 'fair' : 'weak';
}

/** Returns the rounded score, or a dash when it was not measured. */
export const formatScore = (score: number | null): string => (score === null ? '–' : String(Math.round(score)));

/** Returns the same for screen readers. */
export const scoreForScreenReader = (score: number | null): string =>
  score === null ? t('not measured') : t('{score} of 100', { score: Math.round(score) });

/** A score in a list: its number, and a field that is filled accordingly. */
export const ScoreNumber = ({ score, label }: { score: number | null; label: string }): ReactElement => (
  <div className={css['scoreNumber']} role="img" aria-label={`${label}: ${scoreForScreenReader(score)}`}>
    {score !== null && (
      <span className={css['miniature']} aria-hidden="true">
        <span style={{ height: `${score}%` }} />
      </span>
    )}
    <span aria-hidden="true">{formatScore(score)}</span>
  </div>
);

const LONG_PAUSE_MS = 400;

const ERROR_LABELS: Record<WordAssessment['error'], string> = {
  None: '',
  Omission: t('left out'),
  Insertion: t('added'),
  Mispronunciation: t('mispronounced'),
  UnexpectedBreak: t('unexpected pause before it'),
  MissingBreak: t('missing pause before it'),
  Monotone: t('flat melody'),
};

export interface WordStripProps {
  words: readonly WordAssessment[];
  selected: number | null;
  onSelect: (index: number) => void;
}

/** Starts with the visible text, which voice control requires. */
function wordLabel({ word, accuracy, error }: WordAssessment): string {
  const shown = typographic(word);
  if (accuracy === null) {
    if (error === 'Omission') return t('{word}: you left this word out.', { word: shown });
    if (error === 'Insertion') return t('{word}: you added this word, so it has no score.', { word: shown });
    return t('{word}: this word wasn’t measured.', { word: shown });
  }
  const written = `${shown} ${formatScore(accuracy)}`;
  const fault = ERROR_LABELS[error];
  return fault === '' ? t('{written} of 100', { written }) : t('{written} of 100: {fault}', { written, fault });
}

/** Shows words coloured and underlined by score, with the pauses between them. The words are one tab stop. */
export function WordStrip({ words, selected, onSelect }: WordStripProps): ReactElement {
  const { onKeyDown, buttonProps } = useRovingFocus();
  return (
    <div
      className={css['words']}
      role="toolbar"
      aria-label={t('Words with their scores')}
      lang="en"
      dir="ltr"
      onKeyDown={onKeyDown}
    >
      {words.map((word, index) => {
        const before = words[index - 1];
        const pauseMs = before === undefined || word.error === 'Omission' ? 0 : word.startMs - before.endMs;
        const label = wordLabel(word);
        return (
          <span key={index} style={{ display: 'contents' }}>
            {pauseMs >= LONG_PAUSE_MS && (
              <span
                className={css['break']}
                title={t('Pause of {duration}', { duration: formatSeconds(pauseMs / 1000) })}
              >
                <Icon name="pause" size={14} />
              </span>
            )}
            <button
              type="button"
              className={cx(css['word'], css[scoreBand(word.accuracy)], word.error === 'Omission' && css['omitted'])}
              aria-pressed={selected === index}
              aria-label={label}
              title={label}
              {...buttonProps(index)}
              onClick={() => onSelect(index)}
            >
              {typographic(word.word)}
              {selected === index && <span className={css['wordScore']}> {formatScore(word.accuracy)}</span>}
            </button>
          </span>
        );
      })}
    </div>
  );
}

export interface PhonemeStripProps {
  phonemes: readonly PhonemeAssessment[];
  /** How accurate each word was before, drawn as a pale bar; null if it was not said or not measured. */
  before?: readonly (number | null)[];
}

/** A score that was not measured is a dash, even as a bar. */
const barHeight = (accuracy: number | null): number => (accuracy === null ? 2 : 10 + accuracy * 0.5);

export function PhonemeStrip({ phonemes, before = [] }: PhonemeStripProps): ReactElement {
  return (
    <ul className={css['phonemes']} aria-label={t('Sounds with their scores')}>
      {phonemes.map((phoneme, index) => (
        <li key={index} className={cx(css['phoneme'], css[scoreBand(phoneme.accuracy)])}>
          <PhonemeBars now={phoneme.accuracy} before={before[index] ?? null} />
          <span className={css['ipa']}>{phoneme.phoneme}</span>
          <span className={css['wordScore']}>{formatScore(phoneme.accuracy)}</span>
          {phoneme.heardAs?.[0] !== undefined && (
            <span className={css['heard']}>
              <Trans
                id="sounded like <0>{phoneme}</0>"
                values={{ phoneme: phoneme.heardAs[0].phoneme }}
                components={{ 0: <span className={css['ipa']} /> }}
              />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function PhonemeBars({ now, before }: { now: number | null; before: number | null }): ReactElement {
  const text = before === null ? null : t('{score} before', { score: formatScore(before) });
  return (
    <span className={css['phonemeBars']} {...(text === null ? {} : { title: text })}>
      {before !== null && (
        <span
          className={cx(css['phonemeBar'], css['earlier'])}
          style={{ height: barHeight(before) }}
          aria-hidden="true"
        />
      )}
      <span className={css['phonemeBar']} style={{ height: barHeight(now) }} aria-hidden="true" />
      {text !== null && <span className={css['hidden']}>{text}</span>}
    </span>
  );
}

export interface WaveformProps {
  /** Values from 0 to 1, left to right. */
  peaks: readonly number[];
  label: string;
  /** Blue is the learner's voice only. */
  isModel?: boolean;
  /** From 0 to 1, or null when nothing is playing. */
  position?: number | null;
}

const WAVE_WIDTH = 400;
const WAVE_HEIGHT = 56;

export function Waveform({ peaks, label, isModel = false, position = null }: WaveformProps): ReactElement {
  const step = WAVE_WIDTH / Math.max(1, peaks.length);
  const path = peaks
    .map((peak, index) => {
      const half = Math.max(0.6, (peak * WAVE_HEIGHT) / 2);
      return `M${(index * step + step / 2).toFixed(1)} ${(WAVE_HEIGHT / 2 - half).toFixed(1)}v${(half * 2).toFixed(1)}`;
    })
    .join('');
  return (
    <svg
      className={cx(css['wave'], isModel && css['model'])}
      viewBox={`0 0 ${WAVE_WIDTH} ${WAVE_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={path} stroke="currentColor" strokeWidth={Math.max(1, step * 0.6)} strokeLinecap="round" />
      {position !== null && (
        <path d={`M${position * WAVE_WIDTH} 0v${WAVE_HEIGHT}`} stroke="var(--text)" strokeWidth="1.5" />
      )}
    </svg>
  );
}

/** `level` is from 0 to 1. */
export function LevelMeter({ level, isTooLoud = false }: { level: number; isTooLoud?: boolean }): ReactElement {
  return (
    <div
      className={css['meter']}
      role="meter"
      aria-label={t('Microphone level')}
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
  objectives: readonly {
    objectiveId: string;
    description: string;
    /** Undefined when the description is in the language of the window. */
    lang: 'en' | undefined;
    provedBy: string | null;
  }[];
  footer?: ReactNode;
}

export function ObjectiveList({ objectives, footer }: ObjectiveListProps): ReactElement {
  return (
    <ul className={css['objectives']}>
      {objectives.map((objective) => {
        const isDone = objective.provedBy !== null;
        return (
          <li
            key={objective.objectiveId}
            className={cx(css['objective'], isDone && css['objectiveDone'])}
            // In a live region, “reached” is announced together with what was reached.
            aria-atomic
          >
            <Icon name={isDone ? 'check' : 'circle'} />
            <span>
              <span lang={objective.lang}>{objective.description}</span>{' '}
              <span className={css['hidden']}>{isDone ? t('(reached)') : t('(not reached yet)')}</span>
              {objective.provedBy !== null && (
                <span className={css['proof']} lang="en">
                  {' '}
                  “{typographic(objective.provedBy)}”
                </span>
              )}
            </span>
          </li>
        );
      })}
      {footer}
    </ul>
  );
}
