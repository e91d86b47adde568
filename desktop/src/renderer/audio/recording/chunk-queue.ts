/** Sends audio chunks in order and retries a failed chunk before it sends the next. */

export interface ChunkQueue {
  add: (pcm: ArrayBuffer) => void;
  /** Resolves when every chunk was sent; rejects with the error that stopped the queue. */
  drain: () => Promise<void>;
}

const MAX_ATTEMPTS = 4;
const RETRY_DELAY_MS = 150;

/** Calls `onStopped` as soon as the queue gives up; chunks added later are not sent. */
export function createChunkQueue(
  send: (seq: number, pcm: ArrayBuffer) => Promise<void>,
  onStopped: () => void = () => undefined,
): ChunkQueue {
  let nextSeq = 0;
  let lastSend: Promise<void> = Promise.resolve();
  const sendWithRetries = async (seq: number, pcm: ArrayBuffer): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send(seq, pcm);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS) {
          onStopped();
          throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS * attempt));
      }
    }
  };
  return {
    add: (pcm) => {
      const seq = nextSeq;
      nextSeq += 1;
      lastSend = lastSend.then(() => sendWithRetries(seq, pcm));
      // `drain` reports the failure; until it is called, the rejection must not count as unhandled.
      lastSend.catch(() => undefined);
    },
    drain: () => lastSend,
  };
}
