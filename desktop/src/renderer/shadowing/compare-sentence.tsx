/** Compares how one sentence of an answer was said with how the model says it. */
import { t } from '@parley/i18n';
import { alignVoices, type RecordingId, type WordAssessment } from '@parley/domain';
import { type ReactElement, useMemo } from 'react';
import { RecordingNote } from '../audio/index.ts';
import { ErrorBanner, Loading } from '../foundation/screen/screen.tsx';
import { SentenceTracks } from './tracks/sentence-tracks.tsx';
import { useModelVoice, useOwnVoice } from './tracks/use-voices.ts';
import { usePlayback } from './use-playback.ts';

export interface CompareSentenceProps {
  text: string;
  recordingId: RecordingId;
  /** The words of the sentence, with their times in the recording. */
  words: readonly WordAssessment[];
  /** Those words that are shaded. */
  shaded: readonly WordAssessment[];
}

/** The model is shown alone when the recording cannot be read, for example because it was made on another computer. */
export function CompareSentence({ text, recordingId, words, shaded }: CompareSentenceProps): ReactElement {
  const model = useModelVoice(text);
  const own = useOwnVoice(recordingId);
  const playback = usePlayback();
  const modelTrack = model.data?.track;
  const alignment = useMemo(() => {
    const durationMs = words.at(-1)?.endMs ?? 0;
    return modelTrack === undefined ? null : alignVoices(modelTrack, { durationMs, words: [...words], pitch: [] });
  }, [modelTrack, words]);
  if (model.isError) return <ErrorBanner error={model.error} onRetry={() => void model.refetch()} />;
  if (alignment === null || model.data === undefined || own.isPending)
    return <Loading label={t('Preparing the model voice')} comesFrom="computer" />;
  const ownSound = own.data ?? null;
  const ownClip = { startMs: words[0]?.startMs ?? 0, endMs: words.at(-1)?.endMs ?? 0 };
  const clips = {
    own: ownSound === null ? null : { wav: ownSound.wav, clip: ownClip },
    model: { wav: model.data.wav, clip: null },
  };
  const shadedStarts = new Set(shaded.map(({ startMs }) => startMs));
  const playing = playback.playing === 'both' ? null : playback.playing;
  const play = (side: 'own' | 'model'): void => {
    const clip = clips[side];
    if (playing === side) playback.stop();
    else if (clip !== null) playback.play(side, [clip], { rate: 1, repeats: false });
  };
  return (
    <>
      <SentenceTracks
        alignment={alignment}
        shaded={alignment.words.flatMap((word, at) =>
          word.own !== null && shadedStarts.has(word.own.startMs) ? [at] : [],
        )}
        levels={{ own: ownSound?.levels ?? null, model: model.data.levels }}
        playing={playing}
        onPlay={play}
      />
      {ownSound !== null && <RecordingNote recordingId={recordingId} />}
    </>
  );
}
