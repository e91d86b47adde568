/** The sound of a recording, for whoever listens to it. */
import { ok, RecordingId } from '@parley/domain';
import { parseWav } from '@parley/speech';
import type { Answer } from '../answer/index.ts';
import type { Recordings } from './recordings.ts';
import { HEADER_BYTES } from './wav-file.ts';

async function readFile(recordings: Recordings, { recordingId }: { recordingId: string }): Promise<Uint8Array> {
  const wav = await recordings.readWav(RecordingId.parse(recordingId));
  if (!wav.ok) throw new Error(`the recording cannot be read: ${wav.error.code}`);
  return wav.value;
}

/**
 * The same sound as it is sent: 16-bit little-endian mono PCM at 16 kHz, which is what our files hold behind their header. It fails where
 * another device has it.
 */
export async function readPcm16(
  recordings: Recordings,
  { recordingId }: { recordingId: string },
): Promise<Answer<Uint8Array>> {
  const wav = await recordings.readWav(RecordingId.parse(recordingId));
  return wav.ok ? ok(wav.value.subarray(HEADER_BYTES)) : wav;
}

/** The samples of a closed recording: exactly those of the WAV that is kept. */
export async function readSamples(recordings: Recordings, recording: { recordingId: string }): Promise<Float32Array> {
  const parsed = parseWav(await readFile(recordings, recording));
  if (!parsed.ok) throw new Error(`the recording cannot be read: ${parsed.error.code}`);
  return parsed.value.pcm;
}
