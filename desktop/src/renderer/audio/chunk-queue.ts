/** Sends chunks one after the other, in order; a failed one is tried again before the next goes. */

export interface ChunkQueue {
  add: (pcm: ArrayBuffer) => void;
  /** Resolves when everything was sent; rejects with what stopped it. */
  drain: () => Promise<void>;
}

const ATTEMPTS = 4;
const WAIT_MS = 150;

/** `onStopped` is told at once of what stopped it: nothing that is added from then on is sent. */
export function createChunkQueue(
  send: (seq: number, pcm: ArrayBuffer) => Promise<void>,
  onStopped: () => void = () => undefined,
): ChunkQueue {
  let nextSeq = 0;
  let tail: Promise<void> = Promise.resolve();
  const sendOne = async (seq: number, pcm: ArrayBuffer): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send(seq, pcm);
      } catch (error) {
        if (attempt === ATTEMPTS) {
          onStopped();
          throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, WAIT_MS * attempt));
      }
    }
  };
  return {
    add: (pcm) => {
      const seq = nextSeq;
      nextSeq += 1;
      tail = tail.then(() => sendOne(seq, pcm));
      // Whoever drains hears of the failure; until then it must not count as unhandled.
      tail.catch(() => undefined);
    },
    drain: () => tail,
  };
}
