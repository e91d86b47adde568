/** How long an Opus packet plays, from its first bytes (RFC 6716, section 3.1). */

/** Samples at 48 kHz of one frame, by the configuration number in the first byte. */
function frameSamples(configuration: number): number {
  if (configuration < 12) return [480, 960, 1_920, 2_880][configuration & 3] ?? 0;
  if (configuration < 16) return [480, 960][configuration & 1] ?? 0;
  return [120, 240, 480, 960][configuration & 3] ?? 0;
}

/** A packet plays for at most 120 ms. */
const MAX_SAMPLES = 5_760;

/** Samples at 48 kHz; null for a packet that no decoder accepts. */
export function packetDuration(packet: Uint8Array): number | null {
  const [first, second] = packet;
  if (first === undefined) return null;
  const code = first & 3;
  const frames = code === 0 ? 1 : code < 3 ? 2 : second === undefined ? 0 : second & 0x3f;
  const samples = frames * frameSamples(first >> 3);
  return samples === 0 || samples > MAX_SAMPLES ? null : samples;
}
