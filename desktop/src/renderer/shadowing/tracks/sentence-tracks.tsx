/** The learner's waveform above the model's, on one time axis, with the relevant words shaded in both. */
import { t } from '@parley/i18n';
import type { VoiceAlignment } from '@parley/domain';
import { Icon } from '@parley/ui';
import type { ReactElement } from 'react';
import css from './sentence-tracks.module.css';
import { WAVE_BOTTOM, WAVE_TOP, wavePath } from './track-paths.ts';

type Side = 'own' | 'model';

export interface SentenceTracksProps {
  alignment: VoiceAlignment;
  /** The positions of the shaded words in the alignment. */
  shaded: readonly number[];
  /** A voice without levels is left out. */
  levels: { own: readonly number[] | null; model: readonly number[] };
  playing: Side | null;
  /** Plays a voice, or stops the one that is playing. */
  onPlay: (side: Side) => void;
}

const NAMES: Record<Side, string> = { own: t('You'), model: t('Model voice') };
const PLAY_NAMES: Record<Side, string> = { own: t('Play your voice'), model: t('Play the model') };

export function SentenceTracks(props: SentenceTracksProps): ReactElement {
  const { levels } = props;
  return levels.own === null ? (
    <div className={css['tracks']}>
      <Lane {...props} side="model" levels={levels.model} />
    </div>
  ) : (
    <div className={css['tracks']} role="group" aria-label={t('Both voices')}>
      <Lane {...props} side="own" levels={levels.own} />
      <Lane {...props} side="model" levels={levels.model} />
    </div>
  );
}

function Lane(props: Omit<SentenceTracksProps, 'levels'> & { side: Side; levels: readonly number[] }): ReactElement {
  const { alignment, shaded, side, levels, playing, onPlay } = props;
  return (
    <div className={css['lane']} data-side={side}>
      <button
        type="button"
        className={css['play']}
        aria-label={playing === side ? t('Stop') : PLAY_NAMES[side]}
        onClick={() => onPlay(side)}
      >
        <Icon name={playing === side ? 'stop' : 'play'} size={16} />
      </button>
      <span className={css['name']}>{NAMES[side]}</span>
      <svg
        viewBox={`0 ${WAVE_TOP} ${Math.max(1, alignment.lengthMs)} ${WAVE_BOTTOM - WAVE_TOP}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('Waveform: {title}', { title: NAMES[side] })}
      >
        {shaded.map((at) => {
          const word = alignment.words[at];
          return word === undefined ? null : (
            <rect
              key={at}
              className={css['shaded']}
              x={word.axisMs}
              y={WAVE_TOP}
              width={word.lengthMs}
              height={WAVE_BOTTOM - WAVE_TOP}
            />
          );
        })}
        <path className={css['wave']} d={wavePath(levels, alignment[side])} />
      </svg>
    </div>
  );
}
