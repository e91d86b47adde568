/** Runs on the audio thread: plays a coach's lines as their sound comes, quieter, held or not at all from one moment to the next. */

declare const registerProcessor: (name: string, processor: unknown) => void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

/** To the audio thread. */
export type LineOrder =
  | { type: 'add'; itemId: string; pcm: Int16Array }
  /** Nothing more of what has come is heard. */
  | { type: 'stop' }
  /** Silent, and no further, until it goes on. */
  | { type: 'hold' }
  | { type: 'goOn'; volume: number };

/** From it. `samples` of the line were heard. */
export type LineReport =
  /** Also after it had to wait for its sound. */
  | { type: 'began'; itemId: string }
  | { type: 'level'; level: number }
  /** All of the line that has come was heard. */
  | { type: 'drained'; itemId: string; samples: number }
  | { type: 'held'; itemId: string; samples: number }
  | { type: 'stopped'; itemId: string | null; samples: number };

/** From one volume to another without a click. */
const FADE_SAMPLES = 480;
const REPORT_SAMPLES = 1_200;

class LineProcessor extends AudioWorkletProcessor {
  private queue: { itemId: string; pcm: Int16Array }[] = [];
  private at = 0;
  private current: string | null = null;
  private samples = 0;
  private volume = 1;
  private wanted = 1;
  private isDrained = true;
  private squares = 0;
  private counted = 0;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<LineOrder>) => this.obey(data);
  }

  private report(report: LineReport): void {
    this.port.postMessage(report);
  }

  private obey(order: LineOrder): void {
    switch (order.type) {
      case 'add':
        this.queue.push(order);
        return;
      case 'hold':
        this.wanted = 0;
        return;
      case 'goOn':
        this.wanted = order.volume;
        return;
      case 'stop':
        this.queue = [];
        this.at = 0;
        this.report({ type: 'stopped', itemId: this.current, samples: this.samples });
        this.isDrained = true;
        this.wanted = 1;
    }
  }

  process(_inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
    const [output] = outputs[0] ?? [];
    if (output === undefined) return true;
    for (let index = 0; index < output.length; index += 1) output[index] = this.next();
    return true;
  }

  private next(): number {
    const piece = this.queue[0];
    if (piece === undefined || this.volume + this.wanted === 0) {
      if (piece === undefined) this.drain();
      this.measure(0);
      return 0;
    }
    if (piece.itemId !== this.current) this.samples = 0;
    if (this.isDrained || piece.itemId !== this.current) this.report({ type: 'began', itemId: piece.itemId });
    this.current = piece.itemId;
    this.isDrained = false;
    const sample = (piece.pcm[this.at] ?? 0) / 32_768;
    this.at += 1;
    this.samples += 1;
    if (this.at >= piece.pcm.length) {
      this.queue.shift();
      this.at = 0;
    }
    this.fade();
    this.measure(sample);
    return sample * this.volume;
  }

  private fade(): void {
    if (this.volume === this.wanted) return;
    const step = 1 / FADE_SAMPLES;
    this.volume += Math.max(-step, Math.min(step, this.wanted - this.volume));
    if (this.volume === 0 && this.current !== null)
      this.report({ type: 'held', itemId: this.current, samples: this.samples });
  }

  private drain(): void {
    // Where nothing is heard there is nothing to fade.
    this.volume = this.wanted;
    if (this.isDrained || this.current === null) return;
    this.isDrained = true;
    this.report({ type: 'drained', itemId: this.current, samples: this.samples });
  }

  private measure(sample: number): void {
    this.squares += sample * sample;
    this.counted += 1;
    if (this.counted < REPORT_SAMPLES) return;
    this.report({ type: 'level', level: Math.sqrt(this.squares / this.counted) });
    this.squares = 0;
    this.counted = 0;
  }
}

registerProcessor('lines', LineProcessor);
