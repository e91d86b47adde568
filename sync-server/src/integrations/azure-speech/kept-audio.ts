/** Sound that is passed on as it is spoken and kept, so that it can be heard again from its beginning. */

/** 16-bit mono at 16 kHz. */
export const BYTES_A_MS = 32;

/** What is kept at most: 9.6 MB. A turn of a learner ends long before. */
export const MAX_UTTERANCE_MS = 300_000;

export interface AudioListener {
  write: (pcm: Uint8Array<ArrayBuffer>) => void;
  end: () => void;
}

export interface KeptAudio {
  /** @throws RangeError beyond `MAX_UTTERANCE_MS`: whoever takes the sound in must have stopped before. */
  write: (pcm: Uint8Array) => void;
  end: () => void;
  /** All of it from the first sound, then the rest as it comes. Returns how to stop listening. */
  feed: (listener: AudioListener) => () => void;
  durationMs: () => number;
  hasEnded: () => boolean;
  whenEnded: Promise<void>;
  /** All that was kept, in one piece. */
  pcm: () => Uint8Array<ArrayBuffer>;
}

export function keepAudio(): KeptAudio {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const listeners = new Set<AudioListener>();
  const { promise: whenEnded, resolve: tellEnded } = Promise.withResolvers<void>();
  let bytes = 0;
  let hasEnded = false;
  return {
    write: (pcm) => {
      if (hasEnded) return;
      if (bytes + pcm.byteLength > MAX_UTTERANCE_MS * BYTES_A_MS)
        throw new RangeError(`an utterance of more than ${MAX_UTTERANCE_MS} ms`);
      // Copied, as the caller may fill the same buffer again.
      const chunk = new Uint8Array(pcm);
      chunks.push(chunk);
      bytes += chunk.byteLength;
      for (const listener of listeners) listener.write(chunk);
    },
    end: () => {
      if (hasEnded) return;
      hasEnded = true;
      for (const listener of listeners) listener.end();
      tellEnded();
    },
    feed: (listener) => {
      for (const chunk of chunks) listener.write(chunk);
      if (hasEnded) listener.end();
      else listeners.add(listener);
      return () => listeners.delete(listener);
    },
    durationMs: () => bytes / BYTES_A_MS,
    hasEnded: () => hasEnded,
    whenEnded,
    pcm: () => {
      const all = new Uint8Array(bytes);
      let at = 0;
      for (const chunk of chunks) {
        all.set(chunk, at);
        at += chunk.byteLength;
      }
      return all;
    },
  };
}
