/**
 * The model's waveform, pitch and word times above the learner's, on one time axis; a phrase is selected in the row of
 * words.
 */
import { t } from '@parley/i18n';
import { type AlignedWord, alignVoices, type Assessment, type VoiceAlignment } from '@parley/domain';
import { typographic } from '@parley/ui';
import { type ReactElement, type ReactNode, useId, useMemo, useRef } from 'react';
import css from '../shadowing.module.css';
import { afterKey, isInPhrase, type Phrase } from './phrase.ts';
import { LANE_HEIGHT, pitchPath, pitchRangeOf, wavePath } from './track-paths.ts';
import type { ModelVoice, VoiceSound } from './use-voices.ts';

export interface OwnVoice extends VoiceSound {
  assessment: Assessment;
}

export interface VoiceTracksProps {
  model: ModelVoice;
  /** Null before the first recording. */
  own: OwnVoice | null;
  alignment: VoiceAlignment;
  phrase: Phrase | null;
  onPhrase: (phrase: Phrase | null) => void;
}

/** Enough room for the letters of a word that is said fast. */
const PIXELS_PER_MS = 0.22;
/** Separates the times of adjacent words. */
const WORD_GAP_MS = 16;

export const useAlignment = (model: ModelVoice | undefined, own: Assessment | null): VoiceAlignment | null =>
  useMemo(() => (model === undefined ? null : alignVoices(model.track, own)), [model, own]);

export function VoiceTracks({ model, own, alignment, phrase, onPhrase }: VoiceTracksProps): ReactElement {
  const half = Math.max(
    pitchRangeOf(model.track.pitch).half,
    own === null ? 0 : pitchRangeOf(own.assessment.pitch).half,
  );
  const modelMelody = pitchPath(model.track.pitch, alignment.model, half);
  return (
    <div className={css['tracks']} tabIndex={0} role="region" aria-label={t('Both voices')}>
      <div className={css['axis']} style={{ width: alignment.lengthMs * PIXELS_PER_MS }}>
        <WordRow words={alignment.words} lengthMs={alignment.lengthMs} phrase={phrase} onPhrase={onPhrase} />
        <Lane title={t('Model voice')} side="model" alignment={alignment} phrase={phrase}>
          <path className={css['wave']} d={wavePath(model.levels, alignment.model)} />
          <path className={css['pitch']} d={modelMelody} />
        </Lane>
        <Lane title={t('You')} side="own" alignment={alignment} phrase={phrase}>
          <path className={css['ghost']} d={modelMelody} />
          {own !== null && (
            <>
              <path className={css['wave']} d={wavePath(own.levels, alignment.own)} />
              <path className={css['pitch']} d={pitchPath(own.assessment.pitch, alignment.own, half)} />
            </>
          )}
        </Lane>
      </div>
    </div>
  );
}

function Lane(props: {
  title: string;
  side: 'model' | 'own';
  alignment: VoiceAlignment;
  phrase: Phrase | null;
  children: ReactNode;
}): ReactElement {
  const { title, side, alignment, phrase } = props;
  return (
    <div className={css['lane']} data-side={side}>
      <span className={css['laneName']}>{title}</span>
      <svg
        viewBox={`0 0 ${Math.max(1, alignment.lengthMs)} ${LANE_HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('Waveform: {title}', { title })}
      >
        {alignment.words.map((word, index) => (
          // Words never change their position.
          <g key={index}>
            {isInPhrase(phrase, index) && (
              <rect className={css['chosen']} x={word.axisMs} y={0} width={word.lengthMs} height={LANE_HEIGHT} />
            )}
            <WordTime word={word} side={side} />
          </g>
        ))}
        {props.children}
      </svg>
    </div>
  );
}

/** A line as long as the word took. */
function WordTime({ word, side }: { word: AlignedWord; side: 'model' | 'own' }): ReactElement | null {
  const span = word[side];
  if (span === null) return null;
  const length = Math.max(0, span.endMs - span.startMs - WORD_GAP_MS);
  return <path className={css['time']} d={`M${word.axisMs} ${LANE_HEIGHT - 1}h${length}`} />;
}

function WordRow(props: {
  words: readonly AlignedWord[];
  lengthMs: number;
  phrase: Phrase | null;
  onPhrase: (phrase: Phrase | null) => void;
}): ReactElement {
  const { words, phrase, onPhrase } = props;
  const hint = useId();
  const row = useRef<HTMLDivElement>(null);
  const isDragging = useRef(false);
  const current = Math.min(words.length - 1, phrase?.focus ?? 0);
  const lead = words[0]?.axisMs ?? 0;
  const focus = (index: number): void => row.current?.querySelectorAll('button')[index]?.focus();
  return (
    <>
      <div
        ref={row}
        className={css['words']}
        role="group"
        aria-label={t('Words to repeat')}
        aria-describedby={hint}
        lang="en"
        style={{
          gridTemplateColumns: [lead, ...words.map(({ lengthMs }) => lengthMs)]
            .map((length) => `minmax(0, ${Math.max(1, length)}fr)`)
            .join(' '),
        }}
        onPointerUp={() => {
          isDragging.current = false;
        }}
        onPointerLeave={() => {
          isDragging.current = false;
        }}
      >
        <span />
        {words.map(({ word }, index) => (
          <button
            // Words never change their position.
            key={index}
            type="button"
            tabIndex={index === current ? 0 : -1}
            aria-pressed={isInPhrase(phrase, index)}
            onPointerDown={(event) => {
              isDragging.current = true;
              // Without this, touch would keep sending the drag's events to the first word.
              event.currentTarget.releasePointerCapture(event.pointerId);
              onPhrase({ anchor: event.shiftKey ? (phrase?.anchor ?? index) : index, focus: index });
            }}
            onPointerEnter={() => {
              if (isDragging.current && phrase !== null) onPhrase({ ...phrase, focus: index });
            }}
            onKeyDown={(event) => {
              const next = afterKey(event, { index, count: words.length, phrase });
              if (next === null) return;
              event.preventDefault();
              onPhrase(next.phrase);
              focus(next.index);
            }}
          >
            {typographic(word)}
          </button>
        ))}
      </div>
      <span id={hint} hidden>
        {t(
          'Use the arrow keys to move from word to word. Hold Shift to select a phrase, press Enter to select one word, and Escape to clear the selection.',
        )}
      </span>
    </>
  );
}
