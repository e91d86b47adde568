/** Checks the microphone: a level meter, a three-second recording to play back, and a verdict with advice. */
import { formatSeconds, t } from '@parley/i18n';
import { MAX_TURN_MS, type MicrophoneReport, PCM_MEDIA_TYPE } from '@parley/contract';
import { Banner, Button, Card, LevelMeter, MutedText, Row, Select } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import { ErrorBanner, Screen } from '../../foundation/screen/screen.tsx';
import {
  MicrophoneError,
  MicrophoneErrorBanner,
  openMicrophone,
  type OpenMicrophone,
  OutputDeviceSelect,
  useAudioDevices,
  useSpeaker,
  processingOf,
} from '../../audio/index.ts';
import { useSaveSettings } from '../../foundation/host/use-save-settings.ts';
import css from '../practice.module.css';
import { pcmToWav } from './pcm-to-wav.ts';

const RECORD_MS = 3_000;
const BYTES_PER_MS = 32;
const SYSTEM_MICROPHONE = 'system';

type Check =
  | { status: 'listening' }
  | { status: 'recording'; recordedMs: number }
  | { status: 'judged'; report: MicrophoneReport; wav: Blob }
  | { status: 'failed'; error: unknown };

const VERDICTS: Record<MicrophoneReport['verdict'], string> = {
  good: t('That sounds good.'),
  noisy: t('There’s background noise.'),
  too_quiet: t('You’re very quiet.'),
  clipped: t('You’re too loud for the microphone.'),
  silent: t('We couldn’t hear you.'),
};

const ADVICE: Record<MicrophoneReport['verdict'], string> = {
  good: t('Your voice is clear. You’re ready to practise.'),
  noisy: t('Move somewhere quieter, or use a headset.'),
  too_quiet: t('Come closer to the microphone, or turn up its level in your system settings.'),
  clipped: t('Move back a little, or turn the microphone’s level down.'),
  silent: t('Check that the right microphone is selected and not muted.'),
};

export function MicrophoneCheckScreen(): ReactElement {
  const { client, queries } = useHost();
  const navigate = useNavigate();
  const next = useSearch({ from: '/microphone' }).next ?? '/practise';
  const settings = useQuery(queries.settings.read.queryOptions());
  const microphoneId = settings.data?.device.microphoneId ?? null;
  const { echoCancellation, noiseSuppression, autoGainControl } = processingOf(settings.data?.device);
  const save = useSaveSettings();
  const speaker = useSpeaker();
  const [level, setLevel] = useState(0);
  const [peak, setPeak] = useState(0);
  const [check, setCheck] = useState<Check>({ status: 'listening' });
  const [openError, setOpenError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const { devices, refresh } = useAudioDevices('audioinput');
  const recording = useRef<ArrayBuffer[] | null>(null);

  const checkRecording = async (chunks: readonly ArrayBuffer[]): Promise<void> => {
    const pcm = new Blob([...chunks], { type: PCM_MEDIA_TYPE });
    try {
      setCheck({ status: 'judged', report: await client.microphone.check({ pcm }), wav: await pcmToWav(pcm) });
    } catch (error) {
      setCheck({ status: 'failed', error });
    }
  };

  useEffect(() => {
    if (!settings.isSuccess) return;
    let microphone: OpenMicrophone | null = null;
    let isUnmounted = false;
    const processing = { echoCancellation, noiseSuppression, autoGainControl };
    const onChunk = (chunk: { pcm: ArrayBuffer; level: number; peak: number }): void => {
      setLevel(chunk.level);
      setPeak(chunk.peak);
      const chunks = recording.current;
      if (chunks === null) return;
      chunks.push(chunk.pcm);
      const recordedMs = chunks.reduce((sum, part) => sum + part.byteLength, 0) / BYTES_PER_MS;
      if (recordedMs < RECORD_MS) return setCheck({ status: 'recording', recordedMs });
      recording.current = null;
      void checkRecording(chunks);
    };
    const cancelRecording = (): void => {
      if (recording.current === null) return;
      recording.current = null;
      setCheck({ status: 'listening' });
    };
    const onLost = (error: MicrophoneError): void => {
      cancelRecording();
      // A check keeps no audio, although the message about an unplugged microphone says that about a turn.
      setOpenError(error.failure === 'unplugged' ? new MicrophoneError('none') : error);
    };
    openMicrophone({ deviceId: microphoneId, processing }, { onChunk, onReplaced: refresh, onLost }).then(
      (opened) => {
        if (isUnmounted) return void opened.close();
        microphone = opened;
        setOpenError(null);
        // From here on, the devices have names.
        refresh();
      },
      (error: unknown) => {
        // "Record" can be pressed before the microphone is open; trying again must not start that recording unasked.
        cancelRecording();
        setOpenError(error);
      },
    );
    return () => {
      isUnmounted = true;
      void microphone?.close();
    };
    // `attempt` is a dependency so that a retry opens the microphone again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [microphoneId, echoCancellation, noiseSuppression, autoGainControl, settings.isSuccess, attempt]);

  const record = (): void => {
    speaker.stop();
    recording.current = [];
    setCheck({ status: 'recording', recordedMs: 0 });
  };
  const continueToNext = (): void => {
    save.device({ microphoneChecked: true });
    void navigate({ to: next });
  };
  return (
    <Screen title={t('Microphone check')} intro={t('Say something in your normal voice, as you will in the practice.')}>
      <div className={css['check']}>
        {openError !== null ? (
          <MicrophoneErrorBanner
            error={openError}
            action={<Button onPress={() => setAttempt((count) => count + 1)}>{t('Try again')}</Button>}
          />
        ) : (
          <Card>
            <Select
              label={t('Microphone')}
              value={microphoneId ?? SYSTEM_MICROPHONE}
              onChange={(value) =>
                save.device({ microphoneId: value === SYSTEM_MICROPHONE ? null : value, microphoneChecked: false })
              }
              options={[
                { value: SYSTEM_MICROPHONE, label: t('System default') },
                ...(devices ?? []).map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
            <OutputDeviceSelect />
            <LevelMeter level={Math.sqrt(level) * 1.6} isTooLoud={peak > 0.98} />
            <Row>
              <Button variant="speak" icon="microphone" onPress={record} isDisabled={check.status === 'recording'}>
                {check.status === 'judged' ? t('Record again') : t('Record 3 seconds')}
              </Button>
              {check.status === 'recording' && (
                <MutedText>
                  {/* Not a status: a screen reader would read each tenth of a second into the recording. */}
                  <span role="timer">
                    {t('Recording… {duration}', { duration: formatSeconds((RECORD_MS - check.recordedMs) / 1000) })}
                  </span>
                </MutedText>
              )}
              {check.status === 'judged' && (
                <Button icon="play" onPress={() => void speaker.play(check.wav)}>
                  {t('Listen to it')}
                </Button>
              )}
            </Row>
            {check.status === 'failed' && <ErrorBanner error={check.error} />}
            {check.status === 'judged' && (
              <Banner tone={check.report.verdict === 'good' ? 'info' : 'warn'}>
                <strong>{VERDICTS[check.report.verdict]}</strong> {ADVICE[check.report.verdict]}
              </Banner>
            )}
          </Card>
        )}
        <Row>
          <Button
            variant={check.status === 'judged' && check.report.verdict === 'good' ? 'primary' : 'secondary'}
            onPress={continueToNext}
          >
            {check.status === 'judged' ? t('Continue') : t('Continue without a check')}
          </Button>
        </Row>
        <MutedText small>
          {t(
            '{minutes, plural, one {Your voice is scored on this computer. A turn can last up to # minute. You can also write instead of speaking.} other {Your voice is scored on this computer. A turn can last up to # minutes. You can also write instead of speaking.}}',
            { minutes: MAX_TURN_MS / 60_000 },
          )}
        </MutedText>
      </div>
    </Screen>
  );
}
