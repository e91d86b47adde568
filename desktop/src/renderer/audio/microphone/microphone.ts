/** Opens the microphone as 16 kHz mono PCM without audio processing, because the score must reflect what was said. */
import { PCM_SAMPLE_RATE_HZ } from '@parley/contract';
import type { PcmChunk, CaptureOptions } from './capture-worklet.ts';
import workletUrl from './capture-worklet.ts?worker&url';

export type MicrophoneFailure = 'denied' | 'none' | 'in_use' | 'unplugged' | 'asleep' | 'unsupported';

export class MicrophoneError extends Error {
  readonly failure: MicrophoneFailure;

  constructor(failure: MicrophoneFailure) {
    super(failure);
    this.failure = failure;
  }
}

export interface OpenMicrophone {
  /** Delivers the remaining chunks, then releases the microphone. */
  close: () => Promise<void>;
}

export interface MicrophoneListener {
  onChunk: (chunk: PcmChunk) => void;
  /** The microphone was unplugged, and another one has taken its place. Chunks go on as before. */
  onReplaced: (microphoneName: string) => void;
  /** The microphone was unplugged, and no other can be opened. */
  onLost: (error: MicrophoneError) => void;
}

export interface MicrophoneOptions {
  deviceId: string | null;
  /** Removes the loudspeaker's sound; used only when the learner speaks during playback. */
  echoCancellation?: boolean;
  chunkMs?: number;
}

const FLUSH_TIMEOUT_MS = 500;
const CHUNK_MS = 100;

export async function openMicrophone(
  options: MicrophoneOptions,
  listener: MicrophoneListener,
): Promise<OpenMicrophone> {
  let stream = await requestStream(options);
  // The browser resamples from the device's rate to ours.
  const context = new AudioContext({ sampleRate: PCM_SAMPLE_RATE_HZ });
  try {
    if (context.sampleRate !== PCM_SAMPLE_RATE_HZ) throw new MicrophoneError('unsupported');
    await context.audioWorklet.addModule(workletUrl);
    const worklet = new AudioWorkletNode(context, 'pcm', {
      numberOfInputs: 1,
      numberOfOutputs: 0,
      channelCount: 1,
      channelCountMode: 'explicit',
      processorOptions: {
        chunkSamples: ((options.chunkMs ?? CHUNK_MS) * PCM_SAMPLE_RATE_HZ) / 1_000,
      } satisfies CaptureOptions,
    });
    let onFlushed: (() => void) | null = null;
    worklet.port.onmessage = ({ data }: MessageEvent<PcmChunk | null>) => {
      if (data === null) onFlushed?.();
      else listener.onChunk(data);
    };
    let isClosed = false;
    const connect = (): MediaStreamAudioSourceNode => {
      const connected = context.createMediaStreamSource(stream);
      connected.connect(worklet);
      stream.getAudioTracks()[0]?.addEventListener('ended', () => void replace());
      return connected;
    };
    /** The chosen microphone is asked for first, because a loose plug may only have been out for a moment. */
    async function replace(): Promise<void> {
      source.disconnect();
      try {
        const replacement = await requestStream(options);
        if (isClosed) return stopTracks(replacement);
        stream = replacement;
        source = connect();
        await context.resume();
        listener.onReplaced(stream.getAudioTracks()[0]?.label ?? '');
      } catch (error) {
        const isDenied = error instanceof MicrophoneError && error.failure === 'denied';
        if (!isClosed) listener.onLost(new MicrophoneError(isDenied ? 'denied' : 'unplugged'));
      }
    }
    let source = connect();
    await context.resume();
    return {
      close: async () => {
        isClosed = true;
        source.disconnect();
        await new Promise<void>((resolve) => {
          onFlushed = resolve;
          setTimeout(resolve, FLUSH_TIMEOUT_MS);
          worklet.port.postMessage('flush');
        });
        stopTracks(stream);
        await context.close();
      },
    };
  } catch (error) {
    stopTracks(stream);
    await context.close();
    throw error;
  }
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

async function requestStream({ deviceId, echoCancellation = false }: MicrophoneOptions): Promise<MediaStream> {
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
    // Falls back to the system's default when the chosen microphone is missing.
    const isChosenDeviceMissing =
      deviceId !== null && error instanceof DOMException && error.name === 'OverconstrainedError';
    if (isChosenDeviceMissing) return requestStream({ deviceId: null, echoCancellation });
    throw new MicrophoneError(toMicrophoneFailure(error));
  }
}

function toMicrophoneFailure(error: unknown): MicrophoneFailure {
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
