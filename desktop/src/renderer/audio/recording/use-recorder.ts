/** Records one turn, streams it to the host and reports the state that the screen shows. */
import { type SpeechProgress, PCM_MEDIA_TYPE, PCM_SAMPLE_RATE_HZ } from '@parley/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import { useSystemSleep } from '../../foundation/sleep/system-sleep.ts';
import { useSpeaker } from '../playback/speaker.tsx';
import type { Speaker } from '../playback/speaker-interface.ts';
import { createChunkQueue } from './chunk-queue.ts';
import {
  MicrophoneError,
  type MicrophoneReplacement,
  openMicrophone,
  type OpenMicrophone,
} from '../microphone/microphone.ts';
import { type AudioProcessing, processingOf } from '../microphone/audio-processing.ts';
import type { PcmChunk } from '../microphone/capture-worklet.ts';
import {
  hasTurnEnded,
  withChunk,
  type Patience,
  type RecordingWarning,
  INITIAL_TURN_END_STATE,
  recordingWarning,
} from './turn-end-detection.ts';

export type RecorderState =
  | { status: 'idle' }
  | { status: 'opening' }
  | {
      status: 'recording';
      startedAt: number;
      level: number;
      /** How much sound has arrived; grows with each new level. */
      heardMs: number;
      warning: RecordingWarning | null;
      /** The microphone that has taken the place of the first one; null when none has. */
      replacement: MicrophoneReplacement | null;
      /** How far the learner has got in the expected text. */
      following: SpeechProgress | null;
    }
  /** The recording is being sent; an error may have ended it early. */
  | { status: 'finishing'; interruption: MicrophoneError | null }
  | { status: 'failed'; error: unknown };

export interface RecorderOptions {
  microphoneId: string | null;
  patience: Patience;
  /**
   * Opens the upload of a new recording. `send` returns the progress of the streaming recognition, `finish` whether what was
   * said could be understood.
   */
  openUpload: () => Promise<{
    send: (seq: number, pcm: Blob) => Promise<{ following: SpeechProgress | null }>;
    finish: () => Promise<{ wasUnderstood: boolean }>;
  }>;
  maxMs: number;
}

export interface Recorder {
  state: RecorderState;
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

const BYTES_PER_SECOND = PCM_SAMPLE_RATE_HZ * 2;

export function useRecorder(options: RecorderOptions): Recorder {
  const [state, setState] = useState<RecorderState>({ status: 'idle' });
  const { cue } = useSpeaker();
  const { queries } = useHost();
  const processing = processingOf(useQuery(queries.settings.read.queryOptions()).data?.device);
  const latest = useRef(options);
  latest.current = options;
  const activeRecording = useRef<ActiveRecording | null>(null);
  const isStarting = useRef(false);

  const isUnmounted = useRef(false);

  useEffect(() => {
    isUnmounted.current = false;
    return () => {
      isUnmounted.current = true;
      // The recording is already on disk, and the unmounted screen cannot show an error.
      activeRecording.current?.finish().catch(() => undefined);
    };
  }, []);

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
    if (activeRecording.current !== null || isStarting.current) return;
    isStarting.current = true;
    setState({ status: 'opening' });
    let earlyLoss: MicrophoneError | null = null;
    try {
      const opened = await startRecording(
        { ...latest.current, processing, cue },
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
      // The screen was unmounted while the microphone opened.
      if (isUnmounted.current) await opened.finish();
    } catch (error) {
      setState({ status: 'failed', error });
    } finally {
      isStarting.current = false;
    }
  };
  return { state, start, stop };
}

interface ActiveRecording {
  finish: () => Promise<{ wasUnderstood: boolean }>;
}

interface RecordingListener {
  onState: (state: RecorderState) => void;
  onEnded: () => void;
  onLost: (error: MicrophoneError) => void;
}

async function startRecording(
  options: RecorderOptions & { processing: AudioProcessing; cue: Speaker['cue'] },
  listener: RecordingListener,
): Promise<ActiveRecording> {
  let turnEnd = INITIAL_TURN_END_STATE;
  let isOver = false;
  const earlyChunks: PcmChunk[] = [];
  let handleChunk: (chunk: PcmChunk) => void = (chunk) => void earlyChunks.push(chunk);
  const startedAt = Date.now();
  let replacement: MicrophoneReplacement | null = null;
  // Opens the microphone first, so that a learner without permission does not start a turn.
  const microphone: OpenMicrophone = await openMicrophone(
    { deviceId: options.microphoneId, processing: options.processing, beforeCapture: () => options.cue('start') },
    {
      onChunk: (chunk) => handleChunk(chunk),
      onReplaced: (microphone) => {
        replacement = microphone;
      },
      onLost: listener.onLost,
    },
  );
  let upload: Awaited<ReturnType<RecorderOptions['openUpload']>>;
  try {
    upload = await options.openUpload();
  } catch (error) {
    await microphone.close();
    throw error;
  }
  let following: SpeechProgress | null = null;
  const endOnce = (): void => {
    if (isOver) return;
    isOver = true;
    listener.onEnded();
  };
  // When sending fails, the recording ends at once so that the learner does not go on speaking for nothing.
  const queue = createChunkQueue(async (seq, pcm) => {
    ({ following } = await upload.send(seq, new Blob([pcm], { type: PCM_MEDIA_TYPE })));
  }, endOnce);
  handleChunk = (chunk) => {
    turnEnd = withChunk(turnEnd, { level: chunk.level, durationMs: (chunk.pcm.byteLength / BYTES_PER_SECOND) * 1000 });
    queue.add(chunk.pcm);
    if (isOver) return;
    const warning = recordingWarning(turnEnd, chunk.peak);
    listener.onState({
      status: 'recording',
      startedAt,
      level: chunk.level,
      heardMs: turnEnd.totalMs,
      warning,
      replacement,
      following,
    });
    if (hasTurnEnded(turnEnd, options.patience, following) || turnEnd.totalMs >= options.maxMs) endOnce();
  };
  for (const chunk of earlyChunks.splice(0)) handleChunk(chunk);
  listener.onState({ status: 'recording', startedAt, level: 0, heardMs: 0, warning: null, replacement, following });
  return {
    finish: async () => {
      isOver = true;
      await microphone.close();
      void options.cue('stop');
      // The host assesses the chunks that arrived, even if the rest could not be sent.
      const sent = await queue.drain().then(
        () => ({ ok: true as const }),
        (error: unknown) => ({ ok: false as const, error }),
      );
      const outcome = await upload.finish();
      if (!sent.ok) throw sent.error;
      return outcome;
    },
  };
}
