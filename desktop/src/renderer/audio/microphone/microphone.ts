/** Opens the microphone as 16 kHz mono PCM. */
import { PCM_SAMPLE_RATE_HZ } from '@parley/contract';
import type { PcmChunk, CaptureOptions } from './capture-worklet.ts';
import type { AudioProcessing } from './audio-processing.ts';
import { beginRecordingSound } from './recording-microphones.ts';
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
  /** Delivers the remaining chunks, then releases the microphone. Later calls wait for the first one. */
  close: () => Promise<void>;
}

export interface MicrophoneReplacement {
  /** Empty if the browser does not provide it. */
  name: string;
  reason: 'unplugged' | 'default_changed';
}

export interface MicrophoneListener {
  onChunk: (chunk: PcmChunk) => void;
  /** Another microphone has replaced the open one. Chunks continue to arrive as before. */
  onReplaced: (replacement: MicrophoneReplacement) => void;
  /** The microphone was unplugged and no other can be opened, or the browser has stopped all audio. */
  onLost: (error: MicrophoneError) => void;
}

export interface MicrophoneOptions {
  deviceId: string | null;
  processing: AudioProcessing;
  chunkMs?: number;
  /**
   * Work that must be over before the first sample is recorded, for example a sound cue. It starts when the microphone
   * is open.
   */
  beforeCapture?: () => Promise<void>;
  /** Cancels opening the microphone; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
}

const FLUSH_TIMEOUT_MS = 500;
const RESUME_TIMEOUT_MS = 3_000;
const CHUNK_MS = 100;

export async function openMicrophone(
  options: MicrophoneOptions,
  listener: MicrophoneListener,
): Promise<OpenMicrophone> {
  let stream = await requestStream(options);
  // The browser resamples from the device's rate to ours.
  const context = new AudioContext({ sampleRate: PCM_SAMPLE_RATE_HZ });
  let endRecordingSound = (): void => undefined;
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
    options.signal?.throwIfAborted();
    await options.beforeCapture?.();
    options.signal?.throwIfAborted();
    if (!isCapturing(stream)) stream = await requestStream(options);
    endRecordingSound = beginRecordingSound();
    let onFlushed: (() => void) | null = null;
    worklet.port.onmessage = ({ data }: MessageEvent<PcmChunk | null>) => {
      if (data === null) onFlushed?.();
      else listener.onChunk(data);
    };
    let isClosed = false;
    let isReplacing = false;
    let isResuming = false;
    const connect = (): MediaStreamAudioSourceNode => {
      const connected = context.createMediaStreamSource(stream);
      connected.connect(worklet);
      stream.getAudioTracks()[0]?.addEventListener('ended', () => void replace());
      return connected;
    };
    /** The chosen microphone is requested first, because a loose plug may only have been out for a moment. */
    async function replace(): Promise<void> {
      if (isReplacing || isClosed) return;
      isReplacing = true;
      const before = stream;
      const hasEnded = !isCapturing(before);
      if (hasEnded) source.disconnect();
      try {
        // An ended track keeps the name of its microphone, and the device list shows whether that is plugged in.
        const reason = (await hasDefaultMoved(before)) ? 'default_changed' : 'unplugged';
        const replacement = await requestStream(options);
        if (isClosed) return stopTracks(replacement);
        source.disconnect();
        stopTracks(before);
        stream = replacement;
        source = connect();
        await context.resume();
        listener.onReplaced({ name: stream.getAudioTracks()[0]?.label ?? '', reason });
      } catch (error) {
        // A microphone that works is kept when the new default cannot be opened.
        if (isClosed || (!hasEnded && isCapturing(before))) return;
        const isDenied = error instanceof MicrophoneError && error.failure === 'denied';
        listener.onLost(new MicrophoneError(isDenied ? 'denied' : 'unplugged'));
      } finally {
        isReplacing = false;
      }
    }
    /** Browsers stay on the microphone that was the default when it was opened, or end its track. */
    const followDefault = async (): Promise<void> => {
      if (!isReplacing && (await hasDefaultMoved(stream))) await replace();
    };
    /** The browser stops all audio when its output fails, for example when a Bluetooth speaker is switched off. */
    const resumeOrEnd = async (): Promise<void> => {
      if (isResuming || isClosed || isRunning(context)) return;
      isResuming = true;
      const timeout = new Promise<void>((resolve) => setTimeout(resolve, RESUME_TIMEOUT_MS));
      await Promise.race([context.resume(), timeout]).catch(() => undefined);
      isResuming = false;
      if (!isClosed && !isRunning(context)) listener.onLost(new MicrophoneError('unplugged'));
    };
    const onContextChanged = (): void => void resumeOrEnd();
    const onDevicesChanged = (): void => void followDefault();
    navigator.mediaDevices.addEventListener('devicechange', onDevicesChanged);
    let source = connect();
    await context.resume();
    context.addEventListener('statechange', onContextChanged);
    const close = async (): Promise<void> => {
      isClosed = true;
      context.removeEventListener('statechange', onContextChanged);
      navigator.mediaDevices.removeEventListener('devicechange', onDevicesChanged);
      source.disconnect();
      await new Promise<void>((resolve) => {
        onFlushed = resolve;
        setTimeout(resolve, FLUSH_TIMEOUT_MS);
        worklet.port.postMessage('flush');
      });
      stopTracks(stream);
      endRecordingSound();
      if (context.state !== 'closed') await context.close();
    };
    let closing: Promise<void> | null = null;
    return { close: () => (closing ??= close()) };
  } catch (error) {
    stopTracks(stream);
    endRecordingSound();
    await context.close();
    throw error;
  }
}

/** Chromium's entry for the system default, whose label contains the name of the actual device. */
const DEFAULT_DEVICE_ID = 'default';

/**
 * Whether this stream was opened on the system's default microphone, and another plugged-in microphone is the default
 * now.
 */
async function hasDefaultMoved(stream: MediaStream): Promise<boolean> {
  const track = stream.getAudioTracks()[0];
  if (track?.getSettings().deviceId !== DEFAULT_DEVICE_ID) return false;
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  const microphones = devices.filter(({ kind }) => kind === 'audioinput');
  const current = microphones.find(({ deviceId }) => deviceId === DEFAULT_DEVICE_ID);
  if (current === undefined || current.label === track.label) return false;
  return microphones.some(({ deviceId, label }) => deviceId !== DEFAULT_DEVICE_ID && track.label.endsWith(label));
}

/** TypeScript does not expect the state to change while a promise is awaited. */
const isRunning = ({ state }: AudioContext): boolean => state === 'running';

const isCapturing = (stream: MediaStream): boolean => stream.getAudioTracks()[0]?.readyState === 'live';

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

async function requestStream({
  deviceId,
  processing,
}: Pick<MicrophoneOptions, 'deviceId' | 'processing'>): Promise<MediaStream> {
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: {
        ...processing,
        channelCount: 1,
        ...(deviceId === null ? {} : { deviceId: { exact: deviceId } }),
      },
    });
  } catch (error) {
    // Falls back to the system's default when the chosen microphone is missing.
    const isChosenDeviceMissing =
      deviceId !== null && error instanceof DOMException && error.name === 'OverconstrainedError';
    if (isChosenDeviceMissing) return requestStream({ deviceId: null, processing });
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
