/** Writes WAV files: 16-bit mono PCM. */

const HEADER_BYTES = 44;

/** The 44-byte header before `dataBytes` of 16-bit mono PCM. */
export function wavHeader(dataBytes: number, sampleRateHz: number = 16_000): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES);
  const view = new DataView(header.buffer);
  const tag = (offset: number, text: string): void => {
    for (let index = 0; index < 4; index += 1) view.setUint8(offset + index, text.charCodeAt(index));
  };
  tag(0, 'RIFF');
  view.setUint32(4, 36 + dataBytes, true);
  tag(8, 'WAVE');
  tag(12, 'fmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRateHz, true);
  view.setUint32(28, sampleRateHz * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  tag(36, 'data');
  view.setUint32(40, dataBytes, true);
  return header;
}

/** Encodes samples in -1..1 at 16 kHz as a WAV file. */
export function encodeWav(pcm: Float32Array): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + pcm.length * 2);
  bytes.set(wavHeader(pcm.length * 2));
  bytes.set(encodePcm16(pcm), HEADER_BYTES);
  return bytes;
}

/** Converts samples in -1..1 to 16-bit little-endian PCM. */
export function encodePcm16(pcm: Float32Array): Uint8Array {
  const bytes = new Uint8Array(pcm.length * 2);
  const view = new DataView(bytes.buffer);
  pcm.forEach((sample, index) =>
    view.setInt16(index * 2, Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), true),
  );
  return bytes;
}

/** Converts recorded 16-bit little-endian PCM to samples in -1..1. */
export function decodePcm16(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pcm = new Float32Array(Math.floor(bytes.byteLength / 2));
  for (let index = 0; index < pcm.length; index += 1) pcm[index] = view.getInt16(index * 2, true) / 32_768;
  return pcm;
}
