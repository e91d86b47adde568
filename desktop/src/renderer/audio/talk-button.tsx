/** One big button to speak with: idle, opening, recording, listening, and never two of them at once. */
import { Banner, Icon } from '@parley/ui';
import { type CSSProperties, type ReactElement, useEffect, useRef, useState } from 'react';
import { FollowedText } from './followed-text.tsx';
import { MicrophoneTrouble } from './microphone-trouble.tsx';
import css from './talk.module.css';
import type { Recorder } from './use-recorder.ts';

const LABELS = {
  idle: 'Speak',
  opening: 'Opening the microphone',
  finishing: 'Listening to what you said',
  failed: 'Speak',
} as const;

export interface TalkButtonProps {
  recorder: Recorder;
  onStart: () => void;
  /** What pressing it does while it records. */
  stopLabel: string;
  /** The text that is heard is shown here and lights up as it is said. */
  showsText?: boolean;
}

export function TalkButton({ recorder, onStart, stopLabel, showsText = false }: TalkButtonProps): ReactElement {
  const { state } = recorder;
  const label = state.status === 'recording' ? stopLabel : LABELS[state.status];
  const isRecording = state.status === 'recording';
  const isWaiting = state.status === 'opening' || state.status === 'finishing';
  const level = isRecording ? Math.min(1, Math.sqrt(state.level) * 1.8) : 0;
  return (
    <>
      {state.status === 'failed' && <MicrophoneTrouble error={state.error} />}
      {state.status === 'finishing' && state.trouble !== null && <MicrophoneTrouble error={state.trouble} />}
      <button
        type="button"
        className={css['microphone']}
        data-state={state.status}
        style={{ '--level': level } as CSSProperties}
        aria-label={label}
        disabled={isWaiting}
        onClick={() => (isRecording ? void recorder.stop() : onStart())}
      >
        {state.status === 'finishing' ? (
          <Icon name="more" size={36} />
        ) : (
          <Icon name={isRecording ? 'stop' : 'microphone'} size={36} />
        )}
      </button>
      <p role="status">
        {state.status === 'idle' || state.status === 'failed' ? (
          <>
            Press to speak, or press <kbd>Space</kbd>
          </>
        ) : isRecording ? (
          <span>
            Recording <Timer since={state.startedAt} />
          </span>
        ) : (
          label
        )}
      </p>
      {showsText && isRecording && state.following !== null && (
        <FollowedText text={state.following.text} said={state.following.said} />
      )}
      {isRecording && state.warning === 'nothing_heard' && (
        <Banner tone="warn">We cannot hear you. Is the right microphone switched on?</Banner>
      )}
      {isRecording && state.warning === 'too_loud' && (
        <Banner tone="warn">Very loud. Move a little away from the microphone.</Banner>
      )}
    </>
  );
}

function Timer({ since }: { since: number }): ReactElement {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const tick = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(tick);
  }, []);
  const seconds = Math.max(0, Math.floor((now - since) / 1000));
  return (
    <span className={css['timer']}>
      {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
    </span>
  );
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, button, a, [role="dialog"], [role="radio"]') !== null;

/** Space begins and ends a turn, Escape ends it, unless something else has the keyboard. */
export function useSpaceToTalk(options: { isActive: boolean; recorder: Recorder; start: () => void }): void {
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const { isActive, recorder, start } = latest.current;
      const isRecording = recorder.state.status === 'recording';
      if (event.code === 'Escape' && isRecording) return void recorder.stop();
      if (event.code !== 'Space' || event.repeat || isTyping(event.target)) return;
      if (isRecording) {
        event.preventDefault();
        void recorder.stop();
      } else if (isActive && (recorder.state.status === 'idle' || recorder.state.status === 'failed')) {
        event.preventDefault();
        start();
      }
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
