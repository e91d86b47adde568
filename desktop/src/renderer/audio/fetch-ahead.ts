/** Takes sound in before anybody is ready to play it. */

/** The next piece; null at the end. Throws what broke it off, after all that came before. */
export type Fetched = () => Promise<Int16Array | null>;

export function fetchAhead(sound: AsyncIterable<Int16Array>): Fetched {
  const waiting: Int16Array[] = [];
  let end: { error: unknown } | 'well' | null = null;
  let wake: () => void = () => undefined;
  const fetch = async (): Promise<void> => {
    try {
      for await (const pcm of sound) {
        waiting.push(pcm);
        wake();
      }
      end = 'well';
    } catch (error) {
      end = { error };
    }
    wake();
  };
  void fetch();
  return async () => {
    for (;;) {
      const pcm = waiting.shift();
      if (pcm !== undefined) return pcm;
      if (end === 'well') return null;
      if (end !== null) throw end.error;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
}
