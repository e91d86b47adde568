/** A size-limited cache of synthesised audio that evicts the least recently used entry. */

export interface SpeechCache {
  get(key: string): Uint8Array | null;
  set(key: string, wav: Uint8Array): void;
}

export function createSpeechCache(maxBytes: number): SpeechCache {
  // A map keeps insertion order, so the first entry is the least recently used one.
  const wavByKey = new Map<string, Uint8Array>();
  let bytes = 0;
  const remove = (key: string): void => {
    bytes -= wavByKey.get(key)?.byteLength ?? 0;
    wavByKey.delete(key);
  };
  return {
    get(key) {
      const wav = wavByKey.get(key);
      if (wav === undefined) return null;
      wavByKey.delete(key);
      wavByKey.set(key, wav);
      return wav;
    },
    set(key, wav) {
      remove(key);
      wavByKey.set(key, wav);
      bytes += wav.byteLength;
      for (const oldest of wavByKey.keys()) {
        if (bytes <= maxBytes) return;
        remove(oldest);
      }
    },
  };
}
