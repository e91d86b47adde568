/** The voices of a word, one above the other: the model, the learner's best and latest, and what was just said. */
import { t } from '@parley/i18n';
import type { ReviewClip } from '@parley/contract';
import type { RecordingId } from '@parley/domain';
import { Button, formatScore, MutedText, scoreForScreenReader, Waveform } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { clipOfWav, RecordingNote, useSpeaker, wavPeaks } from '../audio/index.ts';
import { useHost } from '../foundation/host/host-context.tsx';
import { ErrorBanner } from '../foundation/screen/screen.tsx';
import { formatDay } from './format-day.ts';
import css from './review.module.css';

const PEAK_COUNT = 90;

interface Span {
  startMs: number;
  endMs: number;
}

export interface JustSaid extends Span {
  recordingId: RecordingId;
  accuracy: number;
}

export function Voices(props: {
  text: string;
  best: ReviewClip | null;
  latest: ReviewClip | null;
  justSaid: JustSaid | null;
}): ReactElement {
  const { text, best, latest, justSaid } = props;
  const isSameClip = best !== null && latest !== null && best.recordingId === latest.recordingId;
  return (
    <div className={css['voices']}>
      <ModelVoice text={text} />
      {best !== null && <OwnVoice title={t('Your best')} clip={best} />}
      {latest !== null && !isSameClip && <OwnVoice title={t('Last time')} clip={latest} />}
      {justSaid !== null && <Sound title={t('Just now')} clip={justSaid} isNew />}
    </div>
  );
}

function ModelVoice({ text }: { text: string }): ReactElement {
  const speaker = useSpeaker();
  const model = useQuery({
    queryKey: ['model-voice', text],
    queryFn: async () => {
      const wav = await speaker.synthesiseModel(text);
      return { wav, peaks: wavPeaks(await wav.arrayBuffer(), PEAK_COUNT) };
    },
  });
  if (model.isError) return <ErrorBanner error={model.error} onRetry={() => void model.refetch()} />;
  return (
    <div className={css['voice']}>
      <Button icon="play" onPress={() => void speaker.speak(text)}>
        {t('Model voice')}
      </Button>
      {model.data === undefined ? (
        <span />
      ) : (
        <Waveform isModel peaks={model.data.peaks} label={t('Waveform of the model voice')} />
      )}
      <span />
    </div>
  );
}

function OwnVoice({ title, clip }: { title: string; clip: ReviewClip }): ReactElement {
  const when = formatDay(clip.at);
  if (clip.isHere)
    return (
      <>
        <Sound title={title} when={when} clip={clip} />
        <RecordingNote recordingId={clip.recordingId} />
      </>
    );
  return (
    <div className={css['voice']}>
      <span className={css['voiceName']}>
        {title} <MutedText small>{when}</MutedText>
      </span>
      <MutedText small>{t('Recorded on another device')}</MutedText>
      <Score accuracy={clip.accuracy} />
    </div>
  );
}

function Sound(props: { title: string; when?: string; clip: JustSaid; isNew?: boolean }): ReactElement {
  const { title, when, clip, isNew = false } = props;
  const { client } = useHost();
  const speaker = useSpeaker();
  const { recordingId, startMs, endMs } = clip;
  const sound = useQuery({
    queryKey: ['clip', recordingId, startMs, endMs],
    queryFn: async () => {
      const wav = await client.recordings.read({ recordingId });
      return { wav, peaks: wavPeaks(clipOfWav(await wav.arrayBuffer(), clip), PEAK_COUNT) };
    },
  });
  if (sound.isError) return <ErrorBanner error={sound.error} />;
  const { data } = sound;
  return (
    <div className={css['voice']} data-new={isNew}>
      <Button icon="play" isDisabled={data === undefined} onPress={() => data && void speaker.play(data.wav, { clip })}>
        {title} {when !== undefined && <MutedText small>{when}</MutedText>}
      </Button>
      {data === undefined ? <span /> : <Waveform peaks={data.peaks} label={t('Waveform of your voice')} />}
      <Score accuracy={clip.accuracy} />
    </div>
  );
}

const Score = ({ accuracy }: { accuracy: number }): ReactElement => (
  <span className={css['voiceScore']} aria-label={scoreForScreenReader(accuracy)}>
    {formatScore(accuracy)}
  </span>
);
