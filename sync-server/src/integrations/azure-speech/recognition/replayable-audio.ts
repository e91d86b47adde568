/** Buffers audio while passing it on, so that a second recognition pass can start from the beginning. */

/** 16-bit mono at 16 kHz. */
export const BYTES_PER_MS = 32;

/** Limits the buffer to 9.6 MB. A learner's turn ends long before. */
export const MAX_UTTERANCE_MS = 300_000;

export interface AudioListener {
  write: (pcm: Uint8Array<ArrayBuffer>) => void;
  end: () => void;
}

export interface ReplayableAudio {
  /** @throws RangeError beyond `MAX_UTTERANCE_MS`; callers must stop the audio before. */
  write: (pcm: Uint8Array) => void;
  end: () => void;
  /** Replays all audio from the start, then passes on the rest as it arrives. Returns a function that unsubscribes. */
  subscribe: (listener: AudioListener) => () => void;
  durationMs: () => number;
  hasEnded: () => boolean;
  whenEnded: Promise<void>;
  /** Returns all audio in one buffer. */
  pcm: () => Uint8Array<ArrayBuffer>;
}

export function createReplayableAudio(): ReplayableAudio {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const listeners = new Set<AudioListener>();
  const { promise: whenEnded, resolve: resolveEnded } = Promise.withResolvers<void>();
  let bytes = 0;
  let hasEnded = false;
  return {
    write: (pcm) => {
      if (hasEnded) return;
      if (bytes + pcm.byteLength > MAX_UTTERANCE_MS * BYTES_PER_MS)
        throw new RangeError(`an utterance of more than ${MAX_UTTERANCE_MS} ms`);
      // The chunk is copied because the caller may reuse its buffer.
      const chunk = new Uint8Array(pcm);
      chunks.push(chunk);
      bytes += chunk.byteLength;
      for (const listener of listeners) listener.write(chunk);
    },
    end: () => {
      if (hasEnded) return;
      hasEnded = true;
      for (const listener of listeners) listener.end();
      resolveEnded();
    },
    subscribe: (listener) => {
      for (const chunk of chunks) listener.write(chunk);
      if (hasEnded) listener.end();
      else listeners.add(listener);
      return () => listeners.delete(listener);
    },
    durationMs: () => bytes / BYTES_PER_MS,
    hasEnded: () => hasEnded,
    whenEnded,
    pcm: () => {
      const all = new Uint8Array(bytes);
      let offset = 0;
      for (const chunk of chunks) {
        all.set(chunk, offset);
        offset += chunk.byteLength;
      }
      return all;
    },
  };
}
