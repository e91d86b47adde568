/** The WAV header that a transcriber wants before recorded sound. The speech package has one too, and a scorer that would come along. */

const HEADER_BYTES = 44;
const SAMPLE_RATE_HZ = 16_000;

/** Of 16-bit little-endian mono PCM at 16 kHz. */
export function wavOf(pcm: Uint8Array): Buffer<ArrayBuffer> {
  const wav = Buffer.alloc(HEADER_BYTES + pcm.byteLength);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(HEADER_BYTES - 8 + pcm.byteLength, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(SAMPLE_RATE_HZ, 24);
  wav.writeUInt32LE(SAMPLE_RATE_HZ * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(pcm.byteLength, 40);
  wav.set(pcm, HEADER_BYTES);
  return wav;
}
