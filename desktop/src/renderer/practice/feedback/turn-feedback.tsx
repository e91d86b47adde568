/** The details of one spoken turn: words, sounds, pitch, and the recording next to the model voice. */
import { t } from '@parley/i18n';
import { type Assessment, type RecordingId, sentenceWith, type WordAssessment } from '@parley/domain';
import { Banner, Button, PhonemeStrip, MutedText, Row, Waveform, WordStrip, typographic } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { unusableSentence } from '../../foundation/sentences/unusable-sentence.ts';
import { withLine } from '../../foundation/sentences/with-line.ts';
import { useHost } from '../../foundation/host/host-context.tsx';
import { ErrorBanner } from '../../foundation/screen/screen.tsx';
import { RecordingNote, type Speaker, useSpeaker, wavPeaks } from '../../audio/index.ts';
import { AddToReview } from '../../review/index.ts';
import { canBeCompared, CompareVoices } from '../../shadowing/index.ts';
import { PitchCurve } from './pitch-curve.tsx';
import { RetryWord } from './retry-word.tsx';
import css from '../practice.module.css';

const PEAK_COUNT = 120;

export interface TurnFeedbackProps {
  text: string;
  assessment: Assessment;
  recordingId: RecordingId;
}

export function TurnFeedback({ text, assessment, recordingId }: TurnFeedbackProps): ReactElement {
  return (
    <div className={css['list']}>
      <ScoredWords text={text} assessment={assessment} recordingId={recordingId} />
      {assessment.unusable === undefined && (
        <MutedText small>
          {t('A sentence’s score also counts flow and melody, so it can differ from the scores of its words.')}
        </MutedText>
      )}
      <LongTextNote text={text} />
      <TurnVoices text={text} assessment={assessment} recordingId={recordingId} />
    </div>
  );
}

/** Says why a long answer has neither the model's pitch curve nor a second try. */
export const LongTextNote = ({ text }: { text: string }): ReactElement | null =>
  canBeCompared(text) ? null : (
    <MutedText small>
      {t(
        'This answer is too long to compare with the model voice, or to say again in one go. In Shadowing, you say it one sentence at a time.',
      )}
    </MutedText>
  );

/** The words with their scores. A selected word shows its sounds, can be heard, and can be added to the review list. */
export function ScoredWords(props: TurnFeedbackProps & { canRetry?: boolean }): ReactElement {
  const { text, assessment, recordingId, canRetry = false } = props;
  const [selected, setSelected] = useState<number | null>(null);
  if (assessment.unusable !== undefined) {
    return (
      <div className={css['list']}>
        <p lang="en">{typographic(text)}</p>
        <Banner tone="warn">{unusableSentence(assessment.unusable)}</Banner>
      </div>
    );
  }
  const word = selected === null ? undefined : assessment.words[selected];
  return (
    <div className={css['list']}>
      <WordStrip
        words={assessment.words}
        selected={selected}
        onSelect={(index) => setSelected(index === selected ? null : index)}
      />
      {word === undefined ? (
        <MutedText small>{t('Select a word to hear it.')}</MutedText>
      ) : (
        <WordDetail key={selected} word={word} text={text} recordingId={recordingId} canRetry={canRetry} />
      )}
    </div>
  );
}

function WordDetail(props: {
  word: WordAssessment;
  text: string;
  recordingId: RecordingId;
  canRetry: boolean;
}): ReactElement {
  const { word, text, recordingId, canRetry } = props;
  const [retries, setRetries] = useState(false);
  const speaker = useSpeaker();
  const own = useRecording(recordingId);
  return (
    <div className={css['list']}>
      <PhonemeStrip phonemes={word.phonemes} />
      <Row>
        {own.data !== undefined && word.error !== 'Omission' && (
          <Button icon="play" onPress={() => void speaker.play(own.data.wav, { clip: word })}>
            {t('You: “{word}”', { word: typographic(word.word) })}
          </Button>
        )}
        <Button icon="speaker" onPress={() => void speaker.synthesiseModel(word.word).then((wav) => speaker.play(wav))}>
          {t('Model: “{word}”', { word: typographic(word.word) })}
        </Button>
        {canRetry && (
          <Button
            icon="redo"
            label={withLine(t('Try this word again'), word.word)}
            onPress={() => setRetries(!retries)}
          >
            {t('Try this word again')}
          </Button>
        )}
        <AddToReview word={word.word} sentence={sentenceWith(word.word, text)} />
      </Row>
      {canRetry && retries && <RetryWord before={word} />}
    </div>
  );
}

/** Both voices on one time axis. A long passage is only drawn, because it is no example to follow word by word. */
export function TurnVoices({ text, assessment, recordingId }: TurnFeedbackProps): ReactElement {
  const speaker = useSpeaker();
  if (canBeCompared(text) && assessment.unusable === undefined)
    return (
      <>
        <CompareVoices text={text} own={{ recordingId, assessment }} />
        <RecordingNote recordingId={recordingId} />
      </>
    );
  return (
    <>
      <PitchCurve pitch={assessment.pitch} pauses={assessment.pauses} durationMs={assessment.durationMs} />
      <CompareWithModel text={text} recordingId={recordingId} speaker={speaker} />
    </>
  );
}

interface PlayableSound {
  wav: Blob;
  peaks: number[];
}

const toSound = async (wav: Blob): Promise<PlayableSound> => ({
  wav,
  peaks: wavPeaks(await wav.arrayBuffer(), PEAK_COUNT),
});

export function useRecording(recordingId: RecordingId) {
  const { client } = useHost();
  return useQuery({
    queryKey: ['recording', recordingId],
    queryFn: async () => toSound(await client.recordings.read({ recordingId })),
  });
}

/** A turn that could not be transcribed: only its recording can be shown. */
export function UntranscribedRecording({ recordingId }: { recordingId: RecordingId }): ReactElement {
  const speaker = useSpeaker();
  const own = useRecording(recordingId);
  return (
    <div className={css['list']}>
      <MutedText>{t('Parley couldn’t make out the words. Your recording is safe.')}</MutedText>
      {own.isError && <ErrorBanner error={own.error} />}
      <div className={css['waves']}>
        {own.data !== undefined && <SoundRow line={null} sound={own.data} speaker={speaker} />}
      </div>
      <RecordingNote recordingId={recordingId} />
    </div>
  );
}

/** The learner's recording above the model voice. */
export function CompareWithModel(props: { text: string; recordingId: RecordingId; speaker: Speaker }): ReactElement {
  const { text, recordingId, speaker } = props;
  const own = useRecording(recordingId);
  const model = useModelVoice(text);
  return (
    <div className={css['list']}>
      {own.isError && <ErrorBanner error={own.error} />}
      <div className={css['waves']}>
        {own.data !== undefined && <SoundRow line={text} sound={own.data} speaker={speaker} />}
        {model.data !== undefined && <SoundRow isModel line={text} sound={model.data} speaker={speaker} />}
      </div>
      <RecordingNote recordingId={recordingId} />
      {model.isError && <ErrorBanner error={model.error} />}
    </div>
  );
}

/** The model voice's reading of a sentence. */
export function ModelVoiceRow({ text }: { text: string }): ReactElement {
  const speaker = useSpeaker();
  const model = useModelVoice(text);
  if (model.isError) return <ErrorBanner error={model.error} />;
  return (
    <div className={css['waves']}>
      {model.data !== undefined && <SoundRow isModel line={text} sound={model.data} speaker={speaker} />}
    </div>
  );
}

function useModelVoice(text: string) {
  const speaker = useSpeaker();
  return useQuery({
    queryKey: ['model-voice', text],
    queryFn: async () => toSound(await speaker.synthesiseModel(text)),
  });
}

interface SoundRowProps {
  /** The transcript; null when there is none. */
  line: string | null;
  sound: PlayableSound;
  speaker: Speaker;
  isModel?: boolean;
}

function SoundRow({ line, sound, speaker, isModel = false }: SoundRowProps): ReactElement {
  const title = isModel ? t('Model voice') : t('You');
  const play = isModel ? t('Play the model') : t('Play your voice');
  return (
    <>
      <span>{title}</span>
      <Waveform isModel={isModel} peaks={sound.peaks} label={t('Waveform: {title}', { title })} />
      <Button
        icon="play"
        {...(line !== null && { label: withLine(play, line) })}
        onPress={() => void speaker.play(sound.wav)}
      >
        {t('Play')}
      </Button>
    </>
  );
}
