/** Aborts a connection that has received nothing for too long. */
import { ConnectionLost } from './read-ndjson.ts';

export class IdleTimeout {
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
    const timer = setTimeout(() => this.#controller.abort(new ConnectionLost('nothing came for too long')), this.#ms);
    timer.unref();
    return timer;
  }

  /** Restarts the timeout because data has arrived. */
  restart(): void {
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Passes data through and restarts the timeout for each chunk. */
  passThrough(atEnd: () => void = () => undefined): TransformStream<Uint8Array, Uint8Array> {
    return new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        this.restart();
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
    return new Response(response.body.pipeThrough(this.passThrough(() => this.stop())), response);
  }
}
