/** Records one turn with the microphone and streams it to the host. */
import { MAX_TURN_MS, type SpeechProgress, PCM_MEDIA_TYPE, PCM_SAMPLE_RATE_HZ } from '@parley/contract';
import type { Speaker } from '../playback/speaker-interface.ts';
import { createChunkQueue } from './chunk-queue.ts';
import {
  type MicrophoneError,
  type MicrophoneReplacement,
  openMicrophone,
  type OpenMicrophone,
} from '../microphone/microphone.ts';
import type { AudioProcessing } from '../microphone/audio-processing.ts';
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
      /** In milliseconds, as `Date.now()`. */
      startedAt: number;
      /** Root mean square, 0-1. */
      level: number;
      /** How much audio has arrived; grows with each new level. */
      heardMs: number;
      warning: RecordingWarning | null;
      /** The microphone that has replaced the first one; null if none has. */
      replacement: MicrophoneReplacement | null;
      /** How much of the expected text the learner has said so far. */
      progress: SpeechProgress | null;
    }
  /** The recording is being sent; an error may have ended it early. */
  | { status: 'finishing'; interruption: MicrophoneError | null }
  | { status: 'failed'; error: unknown };

export interface RecorderOptions {
  microphoneId: string | null;
  patience: Patience;
  /**
   * Opens the upload of a new recording. `send` returns the progress of the streaming recognition, `finish` whether the
   * speech could be understood.
   */
  openUpload: () => Promise<{
    send: (seq: number, pcm: Blob) => Promise<{ progress: SpeechProgress | null }>;
    finish: () => Promise<{ wasUnderstood: boolean }>;
  }>;
}

const BYTES_PER_SECOND = PCM_SAMPLE_RATE_HZ * 2;

export interface ActiveRecording {
  finish: () => Promise<{ wasUnderstood: boolean }>;
}

export interface RecordingListener {
  onState: (state: RecorderState) => void;
  onEnded: () => void;
  onLost: (error: MicrophoneError) => void;
}

/** Rejects when the microphone or the upload cannot be opened, or the signal is aborted before the upload is. */
export async function startRecording(
  options: RecorderOptions & { processing: AudioProcessing; cue: Speaker['cue']; signal: AbortSignal },
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
    {
      deviceId: options.microphoneId,
      processing: options.processing,
      beforeCapture: () => options.cue('start'),
      signal: options.signal,
    },
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
    // The upload replaces the waiting turn, so it begins only while that turn's screen is shown.
    options.signal.throwIfAborted();
    upload = await options.openUpload();
  } catch (error) {
    await microphone.close();
    throw error;
  }
  let progress: SpeechProgress | null = null;
  const endOnce = (): void => {
    if (isOver) return;
    isOver = true;
    listener.onEnded();
  };
  // If sending fails, the recording ends at once, so that the learner does not go on speaking in vain.
  const queue = createChunkQueue(async (seq, pcm) => {
    ({ progress } = await upload.send(seq, new Blob([pcm], { type: PCM_MEDIA_TYPE })));
  }, endOnce);
  handleChunk = (chunk) => {
    const durationMs = (chunk.pcm.byteLength / BYTES_PER_SECOND) * 1000;
    turnEnd = withChunk(turnEnd, { level: chunk.level, durationMs }, progress);
    queue.add(chunk.pcm);
    if (isOver) return;
    const warning = recordingWarning(turnEnd, chunk.peak, options.patience);
    listener.onState({
      status: 'recording',
      startedAt,
      level: chunk.level,
      heardMs: turnEnd.totalMs,
      warning,
      replacement,
      progress,
    });
    if (hasTurnEnded(turnEnd, options.patience, progress) || turnEnd.totalMs >= MAX_TURN_MS) endOnce();
  };
  for (const chunk of earlyChunks.splice(0)) handleChunk(chunk);
  listener.onState({ status: 'recording', startedAt, level: 0, heardMs: 0, warning: null, replacement, progress });
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
