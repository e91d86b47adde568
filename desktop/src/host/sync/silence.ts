/** Ends a line on which nothing has come for too long. */
import { LineBroken } from './read-lines.ts';

export class Silence {
  readonly #controller = new AbortController();
  readonly #ms: number;
  #timer: NodeJS.Timeout;

  constructor(ms: number) {
    this.#ms = ms;
    this.#timer = this.#start();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  #start(): NodeJS.Timeout {
    const timer = setTimeout(() => this.#controller.abort(new LineBroken('nothing came for too long')), this.#ms);
    timer.unref();
    return timer;
  }

  /** Something came. */
  wasBroken(): void {
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Passes on what comes, and notices it. */
  listening(atEnd: () => void = () => undefined): TransformStream<Uint8Array, Uint8Array> {
    return new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        this.wasBroken();
        controller.enqueue(chunk);
      },
      flush: atEnd,
    });
  }

  watch(response: Response): Response {
    if (response.body === null) {
      this.stop();
      return response;
    }
    return new Response(response.body.pipeThrough(this.listening(() => this.stop())), response);
  }
}
