/** Reads the audio of a recording. */
import { ok, RecordingId } from '@parley/domain';
import { parseWav } from '@parley/speech';
import { failed, type HostResult } from '../result/index.ts';
import type { Recordings } from './recordings.ts';
import { HEADER_BYTES } from './wav-file.ts';

/**
 * Returns the audio as 16-bit little-endian mono PCM at 16 kHz, the format of the files after their header. Fails if
 * only another device has the recording.
 */
export async function readPcm16(
  recordings: Pick<Recordings, 'readWav'>,
  { recordingId }: { recordingId: string },
): Promise<HostResult<Uint8Array>> {
  const wav = await recordings.readWav(RecordingId.parse(recordingId));
  return wav.ok ? ok(wav.value.subarray(HEADER_BYTES)) : wav;
}

/**
 * Returns the samples of a closed recording, exactly as in the stored WAV. Fails if only another device has the recording
 * or its file is damaged.
 */
export async function findSamples(
  recordings: Pick<Recordings, 'readWav'>,
  { recordingId }: { recordingId: string },
): Promise<HostResult<Float32Array>> {
  const wav = await recordings.readWav(RecordingId.parse(recordingId));
  if (!wav.ok) return wav;
  const parsed = parseWav(wav.value);
  if (!parsed.ok) return failed('audio.invalid', { detail: parsed.error.code });
  // A score for part of the recording would say that the learner left out the rest.
  return parsed.value.truncated ? failed('audio.invalid', { detail: 'audio.truncated' }) : ok(parsed.value.pcm);
}

/** Does the same for a recording that this device must have, and throws if it is missing. */
export async function readSamples(recordings: Recordings, recording: { recordingId: string }): Promise<Float32Array> {
  const samples = await findSamples(recordings, recording);
  if (!samples.ok) throw new Error(`the recording cannot be read: ${samples.error.detail ?? samples.error.code}`);
  return samples.value;
}
