/** A tone with the rhythm of syllables, loud enough to count as speech: 16-bit little-endian mono PCM. */
export function syllables(ms: number, samplesPerMs: number): Uint8Array {
  const amplitude = 6_000;
  const pcm = Buffer.alloc(ms * samplesPerMs * 2);
  for (let at = 0; at < ms * samplesPerMs; at += 1) {
    const syllable = 0.6 + 0.4 * Math.sin((2 * Math.PI * at) / (samplesPerMs * 180));
    pcm.writeInt16LE(
      Math.round(Math.sin((2 * Math.PI * 170 * at) / (samplesPerMs * 1_000)) * amplitude * syllable),
      at * 2,
    );
  }
  return pcm;
}
