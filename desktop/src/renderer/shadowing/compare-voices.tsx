/** Compares the learner with the model for one text: tracks on one axis, playback, and the scores of melody and rhythm. */
import { t } from '@parley/i18n';
import { type Assessment, compareVoices, type RecordingId } from '@parley/domain';
import { Button, MutedText, Row, SegmentedControl, toOptions, typographic } from '@parley/ui';
import { type ReactElement, useState } from 'react';
import { ErrorBanner, Loading } from '../foundation/screen/screen.tsx';
import { ComparedScores } from './compared-scores.tsx';
import css from './shadowing.module.css';
import { clipOfPhrase, firstOf, lastOf, type Phrase } from './tracks/phrase.ts';
import { type ModelVoice, useModelVoice, useOwnVoice, type VoiceSound } from './tracks/use-voices.ts';
import { type OwnVoice, useAlignment, VoiceTracks } from './tracks/voice-tracks.tsx';
import { type Playback, type PlayedVoices, usePlayback } from './use-playback.ts';

export interface OwnRecording {
  recordingId: RecordingId;
  assessment: Assessment;
}

export interface CompareVoicesProps {
  text: string;
  own: OwnRecording | null;
  /** Set if the screen has to stop playback. */
  playback?: Playback;
}

const SPEEDS = { '1': 1, '0.75': 0.75, '0.5': 0.5 } as const;
type Speed = keyof typeof SPEEDS;
const SPEED_NAMES: Record<Speed, string> = { '1': t('Normal'), '0.75': t('Slower'), '0.5': t('Slowest') };
const SPEED_OPTIONS = toOptions(SPEED_NAMES).toSorted((a, b) => SPEEDS[b.value] - SPEEDS[a.value]);

export function CompareVoices({ text, own, playback }: CompareVoicesProps): ReactElement {
  const model = useModelVoice(text);
  const sound = useOwnVoice(own?.recordingId ?? null);
  if (model.isError) return <ErrorBanner error={model.error} onRetry={() => void model.refetch()} />;
  if (model.data === undefined) return <Loading label={t('Preparing the model voice')} comesFrom="computer" />;
  return (
    <div className={css['compare']}>
      {sound.isError && <ErrorBanner error={sound.error} onRetry={() => void sound.refetch()} />}
      <Comparison model={model.data} own={own} sound={sound.data ?? null} outerPlayback={playback ?? null} />
    </div>
  );
}

function Comparison(props: {
  model: ModelVoice;
  own: OwnRecording | null;
  sound: VoiceSound | null;
  outerPlayback: Playback | null;
}): ReactElement | null {
  const { model, own, sound, outerPlayback } = props;
  const innerPlayback = usePlayback();
  const playback = outerPlayback ?? innerPlayback;
  const [phrase, setPhrase] = useState<Phrase | null>(null);
  const [speed, setSpeed] = useState<Speed>('1');
  const alignment = useAlignment(model, own?.assessment ?? null);
  if (alignment === null) return null;
  const ownVoice: OwnVoice | null = own === null || sound === null ? null : { ...sound, assessment: own.assessment };
  const { words } = alignment;
  const clips = {
    model: { wav: model.wav, clip: phrase === null ? null : clipOfPhrase(words, phrase, 'model') },
    own:
      ownVoice === null
        ? null
        : { wav: ownVoice.wav, clip: phrase === null ? null : clipOfPhrase(words, phrase, 'own') },
  };
  const play = (voices: PlayedVoices): void => {
    const chosen = voices === 'both' ? [clips.model, clips.own] : [clips[voices]];
    playback.play(
      voices,
      // A phrase that was left out has nothing to play.
      chosen.filter((clip) => clip !== null).filter(({ clip }) => phrase === null || clip !== null),
      { rate: SPEEDS[speed], repeats: phrase !== null },
    );
  };
  const choosePhrase = (next: Phrase | null): void => {
    if (playback.playing !== null) playback.stop();
    setPhrase(next);
  };
  return (
    <>
      <VoiceTracks model={model} own={ownVoice} alignment={alignment} phrase={phrase} onPhrase={choosePhrase} />
      <div className={css['controls']}>
        <Row>
          <PlayButton voices="model" label={t('Play the model')} playback={playback} onPlay={play} />
          {ownVoice !== null && (
            <>
              <PlayButton voices="own" label={t('Play your voice')} playback={playback} onPlay={play} />
              <PlayButton voices="both" label={t('Play both')} playback={playback} onPlay={play} />
            </>
          )}
        </Row>
        <SegmentedControl label={t('Speed')} hideLabel options={SPEED_OPTIONS} value={speed} onChange={setSpeed} />
        <PhraseNote
          text={
            phrase === null
              ? null
              : words
                  .slice(firstOf(phrase), lastOf(phrase) + 1)
                  .map(({ word }) => word)
                  .join(' ')
          }
          onClear={() => choosePhrase(null)}
        />
      </div>
      {own !== null && <ComparedScores comparison={compareVoices(model.track, own.assessment)} />}
    </>
  );
}

function PlayButton(props: {
  voices: PlayedVoices;
  label: string;
  playback: Playback;
  onPlay: (voices: PlayedVoices) => void;
}): ReactElement {
  const { voices, label, playback, onPlay } = props;
  const isPlaying = playback.playing === voices;
  return (
    <Button icon={isPlaying ? 'stop' : 'play'} onPress={() => (isPlaying ? playback.stop() : onPlay(voices))}>
      {isPlaying ? t('Stop') : label}
    </Button>
  );
}

function PhraseNote({ text, onClear }: { text: string | null; onClear: () => void }): ReactElement {
  return (
    <div className={css['phrase']} role="status">
      {text === null ? (
        <MutedText small>{t('Drag across words to loop a phrase.')}</MutedText>
      ) : (
        <>
          <MutedText small>{t('Looping “{text}”.', { text: typographic(text) })}</MutedText>
          <Button variant="quiet" onPress={onClear}>
            {t('Whole text')}
          </Button>
        </>
      )}
    </div>
  );
}
