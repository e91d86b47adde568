/** Compares how one sentence of an answer was said with how the model says it. */
import { alignVoices, type RecordingId, type WordAssessment } from '@parley/domain';
import { type ReactElement, useMemo } from 'react';
import { ErrorBanner } from '../foundation/screen/screen.tsx';
import { SentenceTracks } from './tracks/sentence-tracks.tsx';
import { useModelVoice, useOwnVoice } from './tracks/use-voices.ts';
import { usePlayback } from './use-playback.ts';

export interface CompareSentenceProps {
  text: string;
  recordingId: RecordingId;
  /** The words of the sentence, with their times in the recording. */
  words: readonly WordAssessment[];
  /** Those of them that are shaded. */
  shaded: readonly WordAssessment[];
}

export function CompareSentence({ text, recordingId, words, shaded }: CompareSentenceProps): ReactElement | null {
  const model = useModelVoice(text);
  const own = useOwnVoice(recordingId);
  const playback = usePlayback();
  const modelTrack = model.data?.track;
  const alignment = useMemo(() => {
    const durationMs = words.at(-1)?.endMs ?? 0;
    return modelTrack === undefined ? null : alignVoices(modelTrack, { durationMs, words: [...words], pitch: [] });
  }, [modelTrack, words]);
  const failed = [model, own].find(({ isError }) => isError);
  if (failed !== undefined) return <ErrorBanner error={failed.error} onRetry={() => void failed.refetch()} />;
  if (alignment === null || model.data === undefined || own.data === undefined) return null;
  const clips = {
    own: { wav: own.data.wav, clip: { startMs: words[0]?.startMs ?? 0, endMs: words.at(-1)?.endMs ?? 0 } },
    model: { wav: model.data.wav, clip: null },
  };
  const shadedStarts = new Set(shaded.map(({ startMs }) => startMs));
  const playing = playback.playing === 'both' ? null : playback.playing;
  return (
    <SentenceTracks
      alignment={alignment}
      shaded={alignment.words.flatMap((word, at) =>
        word.own !== null && shadedStarts.has(word.own.startMs) ? [at] : [],
      )}
      levels={{ own: own.data.levels, model: model.data.levels }}
      playing={playing}
      onPlay={(side) =>
        playing === side ? playback.stop() : playback.play(side, [clips[side]], { rate: 1, repeats: false })
      }
    />
  );
}
