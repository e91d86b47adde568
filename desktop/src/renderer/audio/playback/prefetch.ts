/** Buffers a stream of audio before the player needs it. */

/** Returns the next chunk, or null at the end. Throws the stream's error after the chunks that came before it. */
export type NextChunk = () => Promise<Int16Array | null>;

export function prefetch(sound: AsyncIterable<Int16Array>): NextChunk {
  const bufferedChunks: Int16Array[] = [];
  let end: { error: unknown } | 'well' | null = null;
  let notifyReader: () => void = () => undefined;
  const readAll = async (): Promise<void> => {
    try {
      for await (const pcm of sound) {
        bufferedChunks.push(pcm);
        notifyReader();
      }
      end = 'well';
    } catch (error) {
      end = { error };
    }
    notifyReader();
  };
  void readAll();
  return async () => {
    for (;;) {
      const pcm = bufferedChunks.shift();
      if (pcm !== undefined) return pcm;
      if (end === 'well') return null;
      if (end !== null) throw end.error;
      await new Promise<void>((resolve) => {
        notifyReader = resolve;
      });
    }
  };
}
