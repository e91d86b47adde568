/** Can we hear you? Level, three seconds recorded and played back, and a verdict with what to do. */
import { MAX_TURN_MS, type MicrophoneReport, PCM_MEDIA_TYPE } from '@parley/contract';
import { Banner, Button, Card, LevelMeter, Quiet, Row, Select } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { FailureBanner, Screen } from '../app/screen.tsx';
import {
  listMicrophones,
  microphoneSentence,
  openMicrophone,
  type OpenMicrophone,
  useSpeaker,
} from '../audio/index.ts';
import { useSaveSettings } from '../app/use-save-settings.ts';
import css from './practice.module.css';
import { wavOf } from './wav-of.ts';

const RECORD_MS = 3_000;
const BYTES_A_MS = 32;
const SYSTEM = 'system';

type Check =
  | { status: 'listening' }
  | { status: 'recording'; recordedMs: number }
  | { status: 'judged'; report: MicrophoneReport; wav: Blob }
  | { status: 'failed'; error: unknown };

const VERDICTS: Record<MicrophoneReport['verdict'], string> = {
  good: 'That sounds good.',
  noisy: 'There is a lot of noise around you.',
  too_quiet: 'You are very quiet.',
  clipped: 'The sound is too loud and breaks up.',
  silent: 'We could not hear you.',
};

export function MicrophoneCheckScreen(): ReactElement {
  const { client, queries } = useHost();
  const navigate = useNavigate();
  const next = useSearch({ from: '/microphone' }).next ?? '/practise';
  const settings = useQuery(queries.settings.read.queryOptions());
  const microphoneId = settings.data?.device.microphoneId ?? null;
  const save = useSaveSettings();
  const speaker = useSpeaker();
  const [level, setLevel] = useState(0);
  const [peak, setPeak] = useState(0);
  const [check, setCheck] = useState<Check>({ status: 'listening' });
  const [openError, setOpenError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const devices = useQuery({ queryKey: ['microphones', attempt, openError === null], queryFn: listMicrophones });
  const recording = useRef<ArrayBuffer[] | null>(null);

  const judge = async (chunks: readonly ArrayBuffer[]): Promise<void> => {
    const pcm = new Blob([...chunks], { type: PCM_MEDIA_TYPE });
    try {
      setCheck({ status: 'judged', report: await client.microphone.check({ pcm }), wav: await wavOf(pcm) });
    } catch (error) {
      setCheck({ status: 'failed', error });
    }
  };

  useEffect(() => {
    if (!settings.isSuccess) return;
    let microphone: OpenMicrophone | null = null;
    let isGone = false;
    const onChunk = (chunk: { pcm: ArrayBuffer; level: number; peak: number }): void => {
      setLevel(chunk.level);
      setPeak(chunk.peak);
      const chunks = recording.current;
      if (chunks === null) return;
      chunks.push(chunk.pcm);
      const recordedMs = chunks.reduce((sum, part) => sum + part.byteLength, 0) / BYTES_A_MS;
      if (recordedMs < RECORD_MS) return setCheck({ status: 'recording', recordedMs });
      recording.current = null;
      void judge(chunks);
    };
    openMicrophone({ deviceId: microphoneId }, { onChunk, onLost: () => setAttempt((count) => count + 1) }).then(
      (opened) => {
        if (isGone) return void opened.close();
        microphone = opened;
        setOpenError(null);
      },
      (error: unknown) => setOpenError(error),
    );
    return () => {
      isGone = true;
      void microphone?.close();
    };
    // A new attempt opens the microphone again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [microphoneId, settings.isSuccess, attempt]);

  const record = (): void => {
    speaker.stop();
    recording.current = [];
    setCheck({ status: 'recording', recordedMs: 0 });
  };
  const goOn = (): void => {
    save.device({ microphoneChecked: true });
    void navigate({ to: next });
  };
  return (
    <Screen title="Microphone check" intro="Say something in your normal voice, as you will in the practice.">
      <div className={css['check']}>
        {openError !== null ? (
          <Banner tone="error" action={<Button onPress={() => setAttempt((count) => count + 1)}>Try again</Button>}>
            {microphoneSentence(openError)}
          </Banner>
        ) : (
          <Card>
            <Select
              label="Microphone"
              value={microphoneId ?? SYSTEM}
              onChange={(value) =>
                save.device({ microphoneId: value === SYSTEM ? null : value, microphoneChecked: false })
              }
              options={[
                { value: SYSTEM, label: 'The one that the system uses' },
                ...(devices.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
            <LevelMeter level={Math.sqrt(level) * 1.6} isTooLoud={peak > 0.98} />
            <Row>
              <Button look="primary" icon="microphone" onPress={record} isDisabled={check.status === 'recording'}>
                {check.status === 'judged' ? 'Record again' : 'Record 3 seconds'}
              </Button>
              {check.status === 'recording' && (
                <Quiet>
                  <span role="status">Recording … {((RECORD_MS - check.recordedMs) / 1000).toFixed(1)} s</span>
                </Quiet>
              )}
              {check.status === 'judged' && (
                <Button icon="play" onPress={() => void speaker.play(check.wav)}>
                  Listen to it
                </Button>
              )}
            </Row>
            {check.status === 'failed' && <FailureBanner error={check.error} />}
            {check.status === 'judged' && (
              <Banner tone={check.report.verdict === 'good' ? 'info' : 'warn'}>
                <strong>{VERDICTS[check.report.verdict]}</strong> {check.report.hint}
              </Banner>
            )}
          </Card>
        )}
        <Row>
          <Button
            look={check.status === 'judged' && check.report.verdict === 'good' ? 'primary' : 'secondary'}
            onPress={goOn}
          >
            {check.status === 'judged' ? 'Go on' : 'Go on without a check'}
          </Button>
        </Row>
        <Quiet small>
          Your voice is scored on this computer. Turns are limited to {MAX_TURN_MS / 60_000} minutes. You can also write
          instead of speaking.
        </Quiet>
      </div>
    </Screen>
  );
}
