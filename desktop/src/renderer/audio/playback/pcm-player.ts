/** Plays a coach's streamed audio and can stop within a few milliseconds. */
import { REALTIME_SAMPLE_RATE_HZ } from '@parley/contract';
import { type Output, outputDevice } from '../output/output-device.ts';
import type { PlayerCommand, PlayerEvent } from './pcm-player-worklet.ts';
import workletUrl from './pcm-player-worklet.ts?worker&url';

export interface PcmPlayer {
  /** Takes 16-bit mono PCM at 24 kHz and plays it after the audio added before. */
  enqueue: (itemId: string, pcm: Int16Array) => void;
  stop: () => void;
  /** Pauses at the current position. */
  pause: () => void;
  /** Resumes at a volume from 0 to 1, or changes to it. */
  resumeAt: (volume: number) => void;
  close: () => Promise<void>;
}

export interface PcmPlayerListener {
  /** Also called when playback resumes after the buffer ran empty. */
  onStarted: (itemId: string) => void;
  /** The loudness of the output, 0-1, several times a second. */
  onLevel: (level: number) => void;
  /** All buffered audio of the item has been played; `audioMs` is its length so far. */
  onDrained: (itemId: string, audioMs: number) => void;
  /** Playback is paused at `audioMs` and can be resumed. */
  onPaused: (itemId: string, audioMs: number) => void;
  /** Playback was stopped; `itemId` is null when nothing was playing. */
  onStopped: (itemId: string | null, audioMs: number) => void;
}

const SAMPLES_PER_MS = REALTIME_SAMPLE_RATE_HZ / 1_000;

export async function openPcmPlayer(listener: PcmPlayerListener): Promise<PcmPlayer> {
  const context = new AudioContext({ sampleRate: REALTIME_SAMPLE_RATE_HZ, latencyHint: 'interactive' });
  const { ready, release: detach } = outputDevice().attach(context as AudioContext & Output);
  /** The browser stops all audio when its output fails, for example when a Bluetooth headset is switched off. */
  const resumeAudio = (): void => {
    if (context.state !== 'running' && context.state !== 'closed') void context.resume().catch(() => undefined);
  };
  context.addEventListener('statechange', resumeAudio);
  // If playback cannot resume at once, another output may have been found by the next attempt.
  navigator.mediaDevices.addEventListener('devicechange', resumeAudio);
  const release = (): void => {
    context.removeEventListener('statechange', resumeAudio);
    navigator.mediaDevices.removeEventListener('devicechange', resumeAudio);
    detach();
  };
  try {
    await ready;
    await context.audioWorklet.addModule(workletUrl);
    const worklet = new AudioWorkletNode(context, 'lines', { numberOfInputs: 0, outputChannelCount: [1] });
    worklet.port.onmessage = ({ data }: MessageEvent<PlayerEvent>) => {
      switch (data.type) {
        case 'began':
          return listener.onStarted(data.itemId);
        case 'level':
          return listener.onLevel(data.level);
        case 'drained':
          return listener.onDrained(data.itemId, Math.round(data.samples / SAMPLES_PER_MS));
        case 'held':
          return listener.onPaused(data.itemId, Math.round(data.samples / SAMPLES_PER_MS));
        case 'stopped':
          return listener.onStopped(data.itemId, Math.round(data.samples / SAMPLES_PER_MS));
      }
    };
    worklet.connect(context.destination);
    await context.resume();
    const send = (wanted: PlayerCommand): void => worklet.port.postMessage(wanted);
    return {
      enqueue: (itemId, pcm) => send({ type: 'add', itemId, pcm }),
      stop: () => send({ type: 'stop' }),
      pause: () => send({ type: 'hold' }),
      resumeAt: (volume) => send({ type: 'resume', volume }),
      close: () => {
        release();
        return context.close();
      },
    };
  } catch (error) {
    release();
    await context.close();
    throw error;
  }
}
