/** The record button: idle, opening, recording or finishing. */
import { t } from '@parley/i18n';
import { Trans } from '@lingui/react';
import { Banner, Icon } from '@parley/ui';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { LevelWave } from './level-wave.tsx';
import { ProgressText } from './progress-text.tsx';
import { MicrophoneErrorBanner } from '../microphone/microphone-error-banner.tsx';
import { microphoneReplacedSentence } from '../microphone/microphone-error-sentence.ts';
import { clockTime } from '../../foundation/sentences/clock-time.ts';
import { useLostFocus } from '../../foundation/screen/use-lost-focus.ts';
import css from './recording.module.css';
import { usesKeyboard } from './use-space-key.ts';
import type { Recorder } from './use-recorder.ts';

const LABEL_BY_STATUS = {
  idle: t('Speak'),
  opening: t('Opening the microphone'),
  finishing: t('Listening to what you said'),
  failed: t('Speak'),
} as const;

export interface RecordButtonProps {
  recorder: Recorder;
  onStart: () => void;
  /** The button's label while it records. */
  stopLabel: string;
  /** Whether to show the expected text, highlighted as the learner says it. */
  showsText?: boolean;
  /** Whether it takes the focus as soon as it is shown, and not only when the focused control has disappeared. */
  autoFocus?: boolean;
}

export function RecordButton(props: RecordButtonProps): ReactElement {
  const { recorder, onStart, stopLabel, showsText = false, autoFocus = false } = props;
  const button = useLostFocus<HTMLButtonElement>();
  const { state } = recorder;
  const label = state.status === 'recording' ? stopLabel : LABEL_BY_STATUS[state.status];
  const isRecording = state.status === 'recording';
  useEffect(() => {
    // The space bar also records when the focus is on a control that is hidden during recording, such as a hint.
    if (isRecording && document.activeElement === document.body) button.current?.focus();
  }, [isRecording, button]);
  const isWaiting = state.status === 'opening' || state.status === 'finishing';
  return (
    <>
      {state.status === 'failed' && <MicrophoneErrorBanner error={state.error} />}
      {state.status === 'finishing' && state.interruption !== null && (
        <MicrophoneErrorBanner error={state.interruption} />
      )}
      <div className={css['recorder']}>
        <button
          ref={button}
          type="button"
          className={css['microphone']}
          data-state={state.status}
          aria-label={label}
          // A disabled button would lose the focus.
          aria-disabled={isWaiting}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the caller decides, as it does for every control.
          autoFocus={autoFocus}
          onClick={() => {
            if (isRecording) void recorder.stop();
            else if (!isWaiting) onStart();
          }}
        >
          {state.status === 'finishing' ? (
            <Icon name="more" size={30} />
          ) : (
            <Icon name={isRecording ? 'stop' : 'microphone'} size={30} />
          )}
        </button>
        <div className={css['middle']}>
          {isRecording && <LevelWave level={state.level} at={state.heardMs} />}
          {showsText && isRecording && state.progress !== null && (
            <ProgressText text={state.progress.text} said={state.progress.said} />
          )}
          {/* Both texts keep their elements, because screen readers announce only changes to existing elements. */}
          <p role="status">
            {isWaiting
              ? label
              : !isRecording && (
                  <Trans
                    id="Press to speak, or press <0>Space</0>. There’s no hurry."
                    components={{ 0: <kbd className={css['key']} /> }}
                  />
                )}
          </p>
        </div>
        <div className={css['end']}>
          {isRecording && <RecordingTimer since={state.startedAt} />}
          <p role="status">
            {isRecording && (
              <Trans id="Recording. <0>Space</0> stops." components={{ 0: <kbd className={css['key']} /> }} />
            )}
          </p>
        </div>
      </div>
      {isRecording && state.replacement !== null && (
        <Banner tone="warn">{microphoneReplacedSentence(state.replacement)}</Banner>
      )}
      {isRecording && state.warning === 'nothing_heard' && (
        <Banner tone="warn">{t('We can’t hear you. Is the right microphone switched on?')}</Banner>
      )}
      {isRecording && state.warning === 'too_loud' && (
        <Banner tone="warn">{t('Very loud. Move a little away from the microphone.')}</Banner>
      )}
      {isRecording && state.warning === 'almost_full' && (
        <Banner tone="warn">
          {t('You’ve almost reached the time limit. Finish your sentence: the recording stops in a few seconds.')}
        </Banner>
      )}
      {isRecording && state.warning === 'no_silence' && (
        <Banner tone="warn">
          {t('There’s constant noise, so your turn can’t end automatically. Press the button when you’ve finished.')}
        </Banner>
      )}
    </>
  );
}

function RecordingTimer({ since }: { since: number }): ReactElement {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const tick = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(tick);
  }, []);
  return (
    <span className={css['timer']} aria-hidden="true">
      {clockTime(Math.max(0, now - since) / 1_000)}
    </span>
  );
}

/** Space starts and stops a recording and Escape stops it, unless another control handles the keyboard. */
export function useSpaceToRecord(options: { isActive: boolean; recorder: Recorder; start: () => void }): void {
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { isActive, recorder, start } = latest.current;
      const isRecording = recorder.state.status === 'recording';
      if (event.code === 'Escape' && isRecording) return void recorder.stop();
      if (event.code !== 'Space' || event.repeat || usesKeyboard(event.target)) return;
      if (isRecording) {
        event.preventDefault();
        void recorder.stop();
      } else if (isActive && (recorder.state.status === 'idle' || recorder.state.status === 'failed')) {
        event.preventDefault();
        start();
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
