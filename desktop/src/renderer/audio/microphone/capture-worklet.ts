/** Runs on the audio thread: collects samples into 16-bit PCM chunks of equal length, with their level. */

declare const registerProcessor: (name: string, processor: unknown) => void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

export interface CaptureOptions {
  chunkSamples: number;
}

export interface PcmChunk {
  pcm: ArrayBuffer;
  /** Root mean square without a constant offset (`level`) and largest sample (`peak`), 0-1. */
  level: number;
  peak: number;
}

class CaptureProcessor extends AudioWorkletProcessor {
  private readonly samples: Int16Array;
  private filledSamples = 0;
  private sum = 0;
  private sumOfSquares = 0;
  private peak = 0;

  constructor({ processorOptions }: { processorOptions: CaptureOptions }) {
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
      this.samples[this.filledSamples] = Math.round(clamped * 32_767);
      this.filledSamples += 1;
      this.sum += clamped;
      this.sumOfSquares += clamped * clamped;
      this.peak = Math.max(this.peak, Math.abs(clamped));
      if (this.filledSamples === this.samples.length) this.send();
    }
    return true;
  }

  private send(): void {
    if (this.filledSamples === 0) return;
    const pcm = this.samples.slice(0, this.filledSamples).buffer;
    // Cheap microphones add a constant offset, which would count as background noise.
    const offset = this.sum / this.filledSamples;
    const level = Math.sqrt(Math.max(0, this.sumOfSquares / this.filledSamples - offset * offset));
    this.port.postMessage({ pcm, level, peak: this.peak } satisfies PcmChunk, [pcm]);
    this.filledSamples = 0;
    this.sum = 0;
    this.sumOfSquares = 0;
    this.peak = 0;
  }
}

registerProcessor('pcm', CaptureProcessor);
