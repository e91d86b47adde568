/** The sound of a recording, for whoever listens to it. */
import { RecordingId } from '@parley/domain';
import { parseWav } from '@parley/speech';
import type { Recordings } from './recordings.ts';

/** The samples of a closed recording: exactly those of the WAV that is kept. */
export async function readSamples(recordings: Recordings, recording: { recordingId: string }): Promise<Float32Array> {
  const wav = await recordings.readWav(RecordingId.parse(recording.recordingId));
  if (!wav.ok) throw new Error(`the recording cannot be read: ${wav.error.code}`);
  const parsed = parseWav(wav.value);
  if (!parsed.ok) throw new Error(`the recording cannot be read: ${parsed.error.code}`);
  return parsed.value.pcm;
}
