/** Reads the audio of a recording. */
import { ok, RecordingId } from '@parley/domain';
import { parseWav } from '@parley/speech';
import type { HostResult } from '../result/index.ts';
import type { Recordings } from './recordings.ts';
import { HEADER_BYTES } from './wav-file.ts';

async function readFile(recordings: Recordings, { recordingId }: { recordingId: string }): Promise<Uint8Array> {
  const wav = await recordings.readWav(RecordingId.parse(recordingId));
  if (!wav.ok) throw new Error(`the recording cannot be read: ${wav.error.code}`);
  return wav.value;
}

/**
 * Returns the audio as 16-bit little-endian mono PCM at 16 kHz, which is what the files hold after their header. Fails
 * if only another device has the recording.
 */
export async function readPcm16(
  recordings: Pick<Recordings, 'readWav'>,
  { recordingId }: { recordingId: string },
): Promise<HostResult<Uint8Array>> {
  const wav = await recordings.readWav(RecordingId.parse(recordingId));
  return wav.ok ? ok(wav.value.subarray(HEADER_BYTES)) : wav;
}

/** Returns the samples of a closed recording, exactly as in the stored WAV. */
export async function readSamples(recordings: Recordings, recording: { recordingId: string }): Promise<Float32Array> {
  const parsed = parseWav(await readFile(recordings, recording));
  if (!parsed.ok) throw new Error(`the recording cannot be read: ${parsed.error.code}`);
  return parsed.value.pcm;
}
