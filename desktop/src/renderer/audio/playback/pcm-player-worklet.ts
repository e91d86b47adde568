/** Runs on the audio thread: plays a coach's audio as it arrives, and can pause, duck or stop it at once. */

declare const registerProcessor: (name: string, processor: unknown) => void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

/** Commands to the audio thread. */
export type PlayerCommand =
  | { type: 'add'; itemId: string; pcm: Int16Array }
  /** Discards everything that is buffered. */
  | { type: 'stop' }
  /** Pauses at the current position until `resume`. */
  | { type: 'hold' }
  | { type: 'resume'; volume: number };

/** Events from the audio thread; `samples` is how many samples of the item have been played. */
export type PlayerEvent =
  /** Also sent when playback resumes after the buffer ran empty. */
  | { type: 'began'; itemId: string }
  | { type: 'level'; level: number }
  /** All buffered audio of the item has been played. */
  | { type: 'drained'; itemId: string; samples: number }
  | { type: 'held'; itemId: string; samples: number }
  | { type: 'stopped'; itemId: string | null; samples: number };

/** The length of a volume change, long enough to avoid a click. */
const FADE_SAMPLES = 480;
const REPORT_SAMPLES = 1_200;

class PcmPlayerProcessor extends AudioWorkletProcessor {
  private queue: { itemId: string; pcm: Int16Array }[] = [];
  private offset = 0;
  private currentItemId: string | null = null;
  private playedSamples = 0;
  private volume = 1;
  private targetVolume = 1;
  private isDrained = true;
  private sumOfSquares = 0;
  private measuredSamples = 0;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<PlayerCommand>) => this.handleCommand(data);
  }

  private emit(report: PlayerEvent): void {
    this.port.postMessage(report);
  }

  private handleCommand(command: PlayerCommand): void {
    switch (command.type) {
      case 'add':
        this.queue.push(command);
        return;
      case 'hold':
        this.targetVolume = 0;
        return;
      case 'resume':
        this.targetVolume = command.volume;
        return;
      case 'stop':
        this.queue = [];
        this.offset = 0;
        this.emit({ type: 'stopped', itemId: this.currentItemId, samples: this.playedSamples });
        this.isDrained = true;
        this.targetVolume = 1;
    }
  }

  process(_inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
    const [output] = outputs[0] ?? [];
    if (output === undefined) return true;
    for (let index = 0; index < output.length; index += 1) output[index] = this.nextSample();
    return true;
  }

  private nextSample(): number {
    const piece = this.queue[0];
    if (piece === undefined || this.volume + this.targetVolume === 0) {
      if (piece === undefined) this.reportDrained();
      this.measure(0);
      return 0;
    }
    if (piece.itemId !== this.currentItemId) this.playedSamples = 0;
    if (this.isDrained || piece.itemId !== this.currentItemId) this.emit({ type: 'began', itemId: piece.itemId });
    this.currentItemId = piece.itemId;
    this.isDrained = false;
    const sample = (piece.pcm[this.offset] ?? 0) / 32_768;
    this.offset += 1;
    this.playedSamples += 1;
    if (this.offset >= piece.pcm.length) {
      this.queue.shift();
      this.offset = 0;
    }
    this.fade();
    this.measure(sample);
    return sample * this.volume;
  }

  private fade(): void {
    if (this.volume === this.targetVolume) return;
    const step = 1 / FADE_SAMPLES;
    this.volume += Math.max(-step, Math.min(step, this.targetVolume - this.volume));
    if (this.volume === 0 && this.currentItemId !== null)
      this.emit({ type: 'held', itemId: this.currentItemId, samples: this.playedSamples });
  }

  private reportDrained(): void {
    // Nothing is playing, so the volume can change without a fade.
    this.volume = this.targetVolume;
    if (this.isDrained || this.currentItemId === null) return;
    this.isDrained = true;
    this.emit({ type: 'drained', itemId: this.currentItemId, samples: this.playedSamples });
  }

  private measure(sample: number): void {
    this.sumOfSquares += sample * sample;
    this.measuredSamples += 1;
    if (this.measuredSamples < REPORT_SAMPLES) return;
    this.emit({ type: 'level', level: Math.sqrt(this.sumOfSquares / this.measuredSamples) });
    this.sumOfSquares = 0;
    this.measuredSamples = 0;
  }
}

registerProcessor('lines', PcmPlayerProcessor);
