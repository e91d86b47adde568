/** Recording one turn: microphone to host as it is spoken, with what the screen needs to know meanwhile. */
import { type Following, PCM_MEDIA_TYPE, PCM_SAMPLE_RATE_HZ } from '@parley/contract';
import { useEffect, useRef, useState } from 'react';
import { createChunkQueue } from './chunk-queue.ts';
import { MicrophoneError, openMicrophone, type OpenMicrophone } from './microphone.ts';
import type { PcmChunk } from './pcm-worklet.ts';
import { hasEnded, listenOn, type RecordingWarning, TURN_BEGIN, warningFor } from './turn-end.ts';

export type RecorderState =
  | { status: 'idle' }
  | { status: 'opening' }
  | {
      status: 'recording';
      startedAt: number;
      level: number;
      warning: RecordingWarning | null;
      /** Where the voice is in what it is expected to say. */
      following: Following | null;
    }
  /** What was said is on its way; `trouble`: what ended the recording before its time. */
  | { status: 'finishing'; trouble: MicrophoneError | null }
  | { status: 'failed'; error: unknown };

export interface RecorderOptions {
  microphoneId: string | null;
  /** Silence that ends the turn; null: only `stop` does. */
  patienceMs: number | null;
  /** Where a new recording goes. Sending answers with where the voice was followed to. */
  begin: () => Promise<{
    send: (seq: number, pcm: Blob) => Promise<{ following: Following | null }>;
    finish: () => Promise<void>;
  }>;
  maxMs: number;
}

export interface Recorder {
  state: RecorderState;
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

const BYTES_A_SECOND = PCM_SAMPLE_RATE_HZ * 2;

export function useRecorder(options: RecorderOptions): Recorder {
  const [state, setState] = useState<RecorderState>({ status: 'idle' });
  const latest = useRef(options);
  latest.current = options;
  const running = useRef<{ finish: () => Promise<void> } | null>(null);
  const isStarting = useRef(false);

  const isGone = useRef(false);

  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      // What was recorded is on the disk, and nobody is left to be told.
      running.current?.finish().catch(() => undefined);
    };
  }, []);

  const end = async (trouble: MicrophoneError | null): Promise<void> => {
    const current = running.current;
    running.current = null;
    if (current === null) return;
    setState({ status: 'finishing', trouble });
    try {
      await current.finish();
      setState(trouble === null ? { status: 'idle' } : { status: 'failed', error: trouble });
    } catch (error) {
      setState({ status: 'failed', error: trouble ?? error });
    }
  };
  const stop = (): Promise<void> => end(null);

  const start = async (): Promise<void> => {
    if (running.current !== null || isStarting.current) return;
    isStarting.current = true;
    setState({ status: 'opening' });
    let isLost = false;
    try {
      const opened = await openRecording(latest.current, {
        onState: setState,
        onEnded: () => void stop(),
        onLost: () => {
          isLost = true;
          void end(new MicrophoneError('unplugged'));
        },
      });
      running.current = opened;
      if (isLost) await end(new MicrophoneError('unplugged'));
      // Whoever has left meanwhile is not listened to.
      if (isGone.current) await opened.finish();
    } catch (error) {
      setState({ status: 'failed', error });
    } finally {
      isStarting.current = false;
    }
  };
  return { state, start, stop };
}

interface RecordingListener {
  onState: (state: RecorderState) => void;
  onEnded: () => void;
  onLost: () => void;
}

async function openRecording(
  options: RecorderOptions,
  listener: RecordingListener,
): Promise<{ finish: () => Promise<void> }> {
  let heard = TURN_BEGIN;
  let isOver = false;
  const early: PcmChunk[] = [];
  let take: (chunk: PcmChunk) => void = (chunk) => void early.push(chunk);
  const startedAt = Date.now();
  // The microphone first: a learner who may not use it has begun nothing.
  const microphone: OpenMicrophone = await openMicrophone(
    { deviceId: options.microphoneId },
    {
      onChunk: (chunk) => take(chunk),
      onLost: listener.onLost,
    },
  );
  let target: Awaited<ReturnType<RecorderOptions['begin']>>;
  try {
    target = await options.begin();
  } catch (error) {
    await microphone.close();
    throw error;
  }
  let following: Following | null = null;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    listener.onEnded();
  };
  // Who speaks on while nothing is kept any more is told at once.
  const queue = createChunkQueue(async (seq, pcm) => {
    ({ following } = await target.send(seq, new Blob([pcm], { type: PCM_MEDIA_TYPE })));
  }, end);
  take = (chunk) => {
    heard = listenOn(heard, { level: chunk.level, durationMs: (chunk.pcm.byteLength / BYTES_A_SECOND) * 1000 });
    queue.add(chunk.pcm);
    if (isOver) return;
    const warning = warningFor(heard, chunk.peak);
    listener.onState({ status: 'recording', startedAt, level: chunk.level, warning, following });
    if (hasEnded(heard, options.patienceMs) || heard.totalMs >= options.maxMs) end();
  };
  for (const chunk of early.splice(0)) take(chunk);
  listener.onState({ status: 'recording', startedAt, level: 0, warning: null, following });
  return {
    finish: async () => {
      isOver = true;
      await microphone.close();
      // What has arrived is heard, also where the rest could not be kept.
      const sent = await queue.drain().then(
        () => ({ ok: true as const }),
        (error: unknown) => ({ ok: false as const, error }),
      );
      await target.finish();
      if (!sent.ok) throw sent.error;
    },
  };
}
