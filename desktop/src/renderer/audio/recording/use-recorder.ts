/** Holds the recording of one turn for as long as its screen is mounted, and reports the state that the screen shows. */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import { useSystemSleep } from '../../foundation/sleep/system-sleep.ts';
import { useSpeaker } from '../playback/speaker.tsx';
import { processingOf } from '../microphone/audio-processing.ts';
import { MicrophoneError } from '../microphone/microphone.ts';
import { type ActiveRecording, type RecorderOptions, type RecorderState, startRecording } from './start-recording.ts';

export interface Recorder {
  state: RecorderState;
  start: () => Promise<void>;
  stop: () => Promise<void>;
  /** Forgets why the last recording failed, because the conversation has gone on since. */
  dismissFailure: () => void;
}

export function useRecorder(options: RecorderOptions): Recorder {
  const [state, setState] = useState<RecorderState>({ status: 'idle' });
  const { cue } = useSpeaker();
  const { queries } = useHost();
  const processing = processingOf(useQuery(queries.settings.read.queryOptions()).data?.device);
  const latest = useRef(options);
  latest.current = options;
  const activeRecording = useRef<ActiveRecording | null>(null);
  const starting = useRef<AbortController | null>(null);

  useEffect(
    () => () => {
      // A recording that has not begun must not replace the waiting turn.
      starting.current?.abort();
      // The recording is already on disk, and the unmounted screen cannot show an error.
      activeRecording.current?.finish().catch(() => undefined);
    },
    [],
  );

  const endRecording = async (interruption: MicrophoneError | null): Promise<void> => {
    const current = activeRecording.current;
    activeRecording.current = null;
    if (current === null) return;
    setState({ status: 'finishing', interruption });
    try {
      const { wasUnderstood } = await current.finish();
      if (!wasUnderstood) void cue('could_not_hear');
      setState(interruption === null ? { status: 'idle' } : { status: 'failed', error: interruption });
    } catch (error) {
      setState({ status: 'failed', error: interruption ?? error });
    }
  };
  const stop = (): Promise<void> => endRecording(null);
  useSystemSleep(state.status === 'recording', () => void endRecording(new MicrophoneError('asleep')));

  const start = async (): Promise<void> => {
    if (activeRecording.current !== null || starting.current?.signal.aborted === false) return;
    const abortController = new AbortController();
    starting.current = abortController;
    setState({ status: 'opening' });
    let earlyLoss: MicrophoneError | null = null;
    try {
      const opened = await startRecording(
        { ...latest.current, processing, cue, signal: abortController.signal },
        {
          onState: setState,
          onEnded: () => void stop(),
          onLost: (error) => {
            earlyLoss = error;
            void endRecording(error);
          },
        },
      );
      activeRecording.current = opened;
      if (earlyLoss !== null) await endRecording(earlyLoss);
      // The screen was unmounted while the turn was being started.
      if (abortController.signal.aborted) await opened.finish();
    } catch (error) {
      if (!abortController.signal.aborted) setState({ status: 'failed', error });
    } finally {
      if (starting.current === abortController) starting.current = null;
    }
  };
  const dismissFailure = useCallback(
    () => setState((shown) => (shown.status === 'failed' ? { status: 'idle' } : shown)),
    [],
  );
  return { state, start, stop, dismissFailure };
}
