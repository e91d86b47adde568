/** Keeps what was said lately, by content, up to a size; what was not asked for longest goes first. */

export interface RecentlySpoken {
  get(key: string): Uint8Array | null;
  keep(key: string, wav: Uint8Array): void;
}

export function keepRecentlySpoken(maxBytes: number): RecentlySpoken {
  // A map keeps the order of insertion: the first is the one that was used least recently.
  const wavByKey = new Map<string, Uint8Array>();
  let bytes = 0;
  const drop = (key: string): void => {
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
    keep(key, wav) {
      drop(key);
      wavByKey.set(key, wav);
      bytes += wav.byteLength;
      for (const oldest of wavByKey.keys()) {
        if (bytes <= maxBytes) return;
        drop(oldest);
      }
    },
  };
}
