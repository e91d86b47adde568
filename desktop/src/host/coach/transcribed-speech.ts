/** The server's transcript of a recording. */
import type { Assessment } from '@parley/domain';

export interface TranscribedSpeech {
  text: string;
  /** Null when the server has no assessor: the caller then assesses the recording. */
  assessment: Assessment | null;
}
