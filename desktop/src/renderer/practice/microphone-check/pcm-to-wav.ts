/** Adds a WAV header to recorded PCM so that the browser can play it. */
import { PCM_SAMPLE_RATE_HZ } from '@parley/contract';

const HEADER_BYTES = 44;

export async function pcmToWav(pcm: Blob): Promise<Blob> {
  const header = new DataView(new ArrayBuffer(HEADER_BYTES));
  const writeTag = (offset: number, text: string): void =>
    [...text].forEach((letter, index) => header.setUint8(offset + index, letter.charCodeAt(0)));
  writeTag(0, 'RIFF');
  header.setUint32(4, 36 + pcm.size, true);
  writeTag(8, 'WAVEfmt ');
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true);
  header.setUint16(22, 1, true);
  header.setUint32(24, PCM_SAMPLE_RATE_HZ, true);
  header.setUint32(28, PCM_SAMPLE_RATE_HZ * 2, true);
  header.setUint16(32, 2, true);
  header.setUint16(34, 16, true);
  writeTag(36, 'data');
  header.setUint32(40, pcm.size, true);
  return new Blob([header.buffer, await pcm.arrayBuffer()], { type: 'audio/wav' });
}
