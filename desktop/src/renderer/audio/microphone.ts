/** The microphone as 16 kHz mono PCM: nothing done to the sound that can be left out, because what is scored must be what was said. */
import { PCM_SAMPLE_RATE_HZ } from '@parley/contract';
import type { PcmChunk, PcmOptions } from './pcm-worklet.ts';
import workletUrl from './pcm-worklet.ts?worker&url';

export type MicrophoneFailure = 'denied' | 'none' | 'in_use' | 'unplugged' | 'unsupported';

export class MicrophoneError extends Error {
  readonly failure: MicrophoneFailure;

  constructor(failure: MicrophoneFailure) {
    super(failure);
    this.failure = failure;
  }
}

export interface OpenMicrophone {
  /** Hands out what is still on its way, then lets the microphone go. */
  close: () => Promise<void>;
}

export interface MicrophoneListener {
  onChunk: (chunk: PcmChunk) => void;
  onLost: () => void;
}

export interface MicrophoneWish {
  deviceId: string | null;
  /** Takes out what comes from the loudspeaker: only for who speaks while something plays. */
  echoCancellation?: boolean;
  chunkMs?: number;
}

const FLUSH_TIMEOUT_MS = 500;
const CHUNK_MS = 100;

export async function openMicrophone(wish: MicrophoneWish, listener: MicrophoneListener): Promise<OpenMicrophone> {
  const stream = await requestStream(wish);
  // The browser's own resampler brings the device's rate to ours.
  const context = new AudioContext({ sampleRate: PCM_SAMPLE_RATE_HZ });
  try {
    if (context.sampleRate !== PCM_SAMPLE_RATE_HZ) throw new MicrophoneError('unsupported');
    await context.audioWorklet.addModule(workletUrl);
    const source = context.createMediaStreamSource(stream);
    const worklet = new AudioWorkletNode(context, 'pcm', {
      numberOfInputs: 1,
      numberOfOutputs: 0,
      channelCount: 1,
      channelCountMode: 'explicit',
      processorOptions: {
        chunkSamples: ((wish.chunkMs ?? CHUNK_MS) * PCM_SAMPLE_RATE_HZ) / 1_000,
      } satisfies PcmOptions,
    });
    let flushed: (() => void) | null = null;
    worklet.port.onmessage = ({ data }: MessageEvent<PcmChunk | null>) => {
      if (data === null) flushed?.();
      else listener.onChunk(data);
    };
    source.connect(worklet);
    stream.getAudioTracks()[0]?.addEventListener('ended', listener.onLost);
    await context.resume();
    return {
      close: async () => {
        source.disconnect();
        await new Promise<void>((resolve) => {
          flushed = resolve;
          setTimeout(resolve, FLUSH_TIMEOUT_MS);
          worklet.port.postMessage('flush');
        });
        for (const track of stream.getTracks()) track.stop();
        await context.close();
      },
    };
  } catch (error) {
    for (const track of stream.getTracks()) track.stop();
    await context.close();
    throw error;
  }
}

async function requestStream({ deviceId, echoCancellation = false }: MicrophoneWish): Promise<MediaStream> {
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: {
        echoCancellation,
        noiseSuppression: false,
        autoGainControl: false,
        channelCount: 1,
        ...(deviceId === null ? {} : { deviceId: { exact: deviceId } }),
      },
    });
  } catch (error) {
    // A chosen microphone that is gone: the system's default takes its place.
    const isGone = deviceId !== null && error instanceof DOMException && error.name === 'OverconstrainedError';
    if (isGone) return requestStream({ deviceId: null, echoCancellation });
    throw new MicrophoneError(failureOf(error));
  }
}

function failureOf(error: unknown): MicrophoneFailure {
  if (!(error instanceof DOMException)) return 'unsupported';
  switch (error.name) {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'denied';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'none';
    case 'NotReadableError':
    case 'AbortError':
      return 'in_use';
    default:
      return 'unsupported';
  }
}

export interface MicrophoneDevice {
  id: string;
  name: string;
}

/** Names are known only after the learner has allowed the microphone once. */
export async function listMicrophones(): Promise<MicrophoneDevice[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices
    .filter(
      (device) => device.kind === 'audioinput' && device.deviceId !== 'default' && device.deviceId !== 'communications',
    )
    .map((device, index) => ({
      id: device.deviceId,
      name: device.label === '' ? `Microphone ${index + 1}` : device.label,
    }));
}
