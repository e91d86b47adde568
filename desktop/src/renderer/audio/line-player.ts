/** Plays what a coach says while it is still being said, and can stop within a few milliseconds. */
import { REALTIME_SAMPLE_RATE_HZ } from '@parley/contract';
import type { LineOrder, LineReport } from './line-worklet.ts';
import workletUrl from './line-worklet.ts?worker&url';

export interface LinePlayer {
  /** 16-bit mono PCM at 24 kHz; played after what was added before. */
  add: (itemId: string, pcm: Int16Array) => void;
  stop: () => void;
  /** Silent where it is, until it goes on. */
  hold: () => void;
  /** At a volume of 0 to 1; also while it plays. */
  goOn: (volume: number) => void;
  close: () => Promise<void>;
}

export interface LineListener {
  /** Also when it goes on after it had to wait for its sound. */
  onBegan: (itemId: string) => void;
  /** Loudness of what is played, 0-1, several times a second. */
  onLevel: (level: number) => void;
  /** All that has come of the line was heard: so much. */
  onDrained: (itemId: string, audioMs: number) => void;
  /** It is silent there, and will go on. */
  onHeld: (itemId: string, audioMs: number) => void;
  /** It is silent now; null where nothing was playing. */
  onStopped: (itemId: string | null, audioMs: number) => void;
}

const SAMPLES_A_MS = REALTIME_SAMPLE_RATE_HZ / 1_000;

export async function openLinePlayer(listener: LineListener): Promise<LinePlayer> {
  const context = new AudioContext({ sampleRate: REALTIME_SAMPLE_RATE_HZ, latencyHint: 'interactive' });
  try {
    await context.audioWorklet.addModule(workletUrl);
    const worklet = new AudioWorkletNode(context, 'lines', { numberOfInputs: 0, outputChannelCount: [1] });
    worklet.port.onmessage = ({ data }: MessageEvent<LineReport>) => {
      switch (data.type) {
        case 'began':
          return listener.onBegan(data.itemId);
        case 'level':
          return listener.onLevel(data.level);
        case 'drained':
          return listener.onDrained(data.itemId, Math.round(data.samples / SAMPLES_A_MS));
        case 'held':
          return listener.onHeld(data.itemId, Math.round(data.samples / SAMPLES_A_MS));
        case 'stopped':
          return listener.onStopped(data.itemId, Math.round(data.samples / SAMPLES_A_MS));
      }
    };
    worklet.connect(context.destination);
    await context.resume();
    const order = (wanted: LineOrder): void => worklet.port.postMessage(wanted);
    return {
      add: (itemId, pcm) => order({ type: 'add', itemId, pcm }),
      stop: () => order({ type: 'stop' }),
      hold: () => order({ type: 'hold' }),
      goOn: (volume) => order({ type: 'goOn', volume }),
      close: () => context.close(),
    };
  } catch (error) {
    await context.close();
    throw error;
  }
}
