/** Runs on the audio thread: gathers samples into chunks of one length, as 16-bit PCM, with their level. */

declare const registerProcessor: (name: string, processor: unknown) => void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

export interface PcmOptions {
  chunkSamples: number;
}

export interface PcmChunk {
  pcm: ArrayBuffer;
  /** Root mean square and largest sample, 0-1. */
  level: number;
  peak: number;
}

class PcmProcessor extends AudioWorkletProcessor {
  private readonly samples: Int16Array;
  private filled = 0;
  private squares = 0;
  private peak = 0;

  constructor({ processorOptions }: { processorOptions: PcmOptions }) {
    super();
    this.samples = new Int16Array(processorOptions.chunkSamples);
    this.port.onmessage = () => {
      this.send();
      this.port.postMessage(null);
    };
  }

  process(inputs: Float32Array[][]): boolean {
    const [channel] = inputs[0] ?? [];
    if (channel === undefined) return true;
    for (const sample of channel) {
      const clamped = Math.max(-1, Math.min(1, sample));
      this.samples[this.filled] = Math.round(clamped * 32_767);
      this.filled += 1;
      this.squares += clamped * clamped;
      this.peak = Math.max(this.peak, Math.abs(clamped));
      if (this.filled === this.samples.length) this.send();
    }
    return true;
  }

  private send(): void {
    if (this.filled === 0) return;
    const pcm = this.samples.slice(0, this.filled).buffer;
    const level = Math.sqrt(this.squares / this.filled);
    this.port.postMessage({ pcm, level, peak: this.peak } satisfies PcmChunk, [pcm]);
    this.filled = 0;
    this.squares = 0;
    this.peak = 0;
  }
}

registerProcessor('pcm', PcmProcessor);
