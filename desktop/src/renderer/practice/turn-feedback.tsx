/** One spoken turn in detail: words, their sounds, the melody, and one's own voice beside the model's. */
import type { Assessment, RecordingId } from '@parley/domain';
import { Banner, Button, PhonemeStrip, Quiet, Row, Waveform, WordStrip } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { FailureBanner } from '../app/screen.tsx';
import { type Speaker, useSpeaker, wavPeaks } from '../audio/index.ts';
import { PitchCurve } from './pitch-curve.tsx';
import css from './practice.module.css';

const PEAKS = 120;

export interface TurnFeedbackProps {
  text: string;
  assessment: Assessment;
  recordingId: RecordingId;
}

export function TurnFeedback({ text, assessment, recordingId }: TurnFeedbackProps): ReactElement {
  const [selected, setSelected] = useState<number | null>(null);
  const speaker = useSpeaker();
  const own = useRecording(recordingId);
  if (assessment.unusable !== undefined) {
    return (
      <div className={css['list']}>
        <p>{text}</p>
        <Banner tone="warn">{assessment.unusable.hint}</Banner>
        <OwnAndModel text={text} recordingId={recordingId} speaker={speaker} />
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
        <Quiet small>Press a word to see and hear its sounds.</Quiet>
      ) : (
        <div className={css['list']}>
          <PhonemeStrip phonemes={word.phonemes} />
          <Row>
            {own.data !== undefined && word.error !== 'Omission' && (
              <Button icon="play" onPress={() => void speaker.play(own.data.wav, { clip: word })}>
                You: “{word.word}”
              </Button>
            )}
            <Button icon="speaker" onPress={() => void speaker.modelVoice(word.word).then((wav) => speaker.play(wav))}>
              Model: “{word.word}”
            </Button>
          </Row>
        </div>
      )}
      <PitchCurve pitch={assessment.pitch} pauses={assessment.pauses} durationMs={assessment.durationMs} />
      <OwnAndModel text={text} recordingId={recordingId} speaker={speaker} />
    </div>
  );
}

interface Sound {
  wav: Blob;
  peaks: number[];
}

const soundOf = async (wav: Blob): Promise<Sound> => ({ wav, peaks: wavPeaks(await wav.arrayBuffer(), PEAKS) });

export function useRecording(recordingId: RecordingId) {
  const { client } = useHost();
  return useQuery({
    queryKey: ['recording', recordingId],
    queryFn: async () => soundOf(await client.recordings.read({ recordingId })),
  });
}

/** Of a turn that nobody could write down: there is its sound, and nothing else. */
export function WordlessTurn({ recordingId }: { recordingId: RecordingId }): ReactElement {
  const speaker = useSpeaker();
  const own = useRecording(recordingId);
  return (
    <div className={css['list']}>
      <Quiet>Your words could not be written down here. Your sound is kept.</Quiet>
      {own.isError && <FailureBanner error={own.error} />}
      <div className={css['waves']}>
        {own.data !== undefined && <SoundRow title="You" sound={own.data} speaker={speaker} />}
      </div>
    </div>
  );
}

/** The learner's own recording above the model voice. */
export function OwnAndModel(props: { text: string; recordingId: RecordingId; speaker: Speaker }): ReactElement {
  const { text, recordingId, speaker } = props;
  const own = useRecording(recordingId);
  const model = useQuery({
    queryKey: ['model-voice', text],
    queryFn: async () => soundOf(await speaker.modelVoice(text)),
  });
  return (
    <div className={css['list']}>
      {own.isError && <FailureBanner error={own.error} />}
      <div className={css['waves']}>
        {own.data !== undefined && <SoundRow title="You" sound={own.data} speaker={speaker} />}
        {model.data !== undefined && <SoundRow title="Model voice" sound={model.data} speaker={speaker} />}
      </div>
      {model.isError && <FailureBanner error={model.error} />}
    </div>
  );
}

function SoundRow({ title, sound, speaker }: { title: string; sound: Sound; speaker: Speaker }): ReactElement {
  return (
    <>
      <span>{title}</span>
      <Waveform peaks={sound.peaks} label={`Waveform: ${title}`} />
      <Button icon="play" onPress={() => void speaker.play(sound.wav)}>
        Play
      </Button>
    </>
  );
}
