/** Plays a cue on the learner's output device. */
import { type Output, outputDevice } from '../output/output-device.ts';
import { renderCue, type SoundCue } from './render-cue.ts';

/**
 * A cue is still picked up after its playback has ended, because of the room's reverberation and the latency of the
 * microphone.
 */
const ECHO_MS = 40;
const FADE_OUT_MS = 5;

let shared: { context: AudioContext; ready: Promise<void> } | null = null;

/**
 * Opening an output takes longer than a cue, and a recording would wait for both, so the output stays open and is
 * suspended in between.
 */
function openOutput(): { context: AudioContext; ready: Promise<void> } {
  if (shared !== null) return shared;
  const context = new AudioContext({ latencyHint: 'interactive' });
  const { ready } = outputDevice().attach(context as AudioContext & Output);
  shared = { context, ready };
  return shared;
}

/** Resolves when the cue can no longer be heard, or has been faded out because of the signal. */
export async function soundCue(cue: SoundCue, signal: AbortSignal): Promise<void> {
  const { context, ready } = openOutput();
  const isAborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  try {
    await ready;
    // A context that is not allowed to start would wait forever.
    await Promise.race([context.resume(), isAborted]);
    if (signal.aborted) return;
    const samples = renderCue(cue, context.sampleRate);
    const buffer = context.createBuffer(1, samples.length, context.sampleRate);
    buffer.copyToChannel(samples, 0);
    const source = new AudioBufferSourceNode(context, { buffer });
    const volume = new GainNode(context);
    source.connect(volume).connect(context.destination);
    const hasEnded = new Promise((resolve) => source.addEventListener('ended', resolve, { once: true }));
    source.start();
    await Promise.race([hasEnded, isAborted]);
    if (signal.aborted) {
      volume.gain.setValueAtTime(1, context.currentTime);
      volume.gain.linearRampToValueAtTime(0, context.currentTime + FADE_OUT_MS / 1_000);
      await delay(FADE_OUT_MS);
      volume.disconnect();
      return;
    }
    // Rendered audio is heard only after the latency of the output.
    await delay(context.outputLatency * 1_000 + ECHO_MS);
    volume.disconnect();
  } finally {
    void context.suspend().catch(() => undefined);
  }
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
