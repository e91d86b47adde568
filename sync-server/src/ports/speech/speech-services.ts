/** Defines the ports of speech services. Audio is 16-bit little-endian mono PCM at 16 kHz. */
import type { Assessment, CoachVoice } from '@parley/domain';

/**
 * One pass of a provider over an utterance, which may need several; failed and aborted passes are charged too. For an aborted pass it
 * covers all audio sent, which may be more than the provider charges.
 */
export interface RecognitionPass {
  seconds: number;
  /** Whether the pass also assessed pronunciation. */
  isScored: boolean;
}

/** Called for each charged pass, before the result or its failure is returned. */
export type OnRecognitionPass = (pass: RecognitionPass) => Promise<void>;

export interface Transcriber {
  readonly name: string;
  /**
   * Returns what was said, verbatim, or an empty string when nothing was said. `pcm` is in pieces, so that a long turn
   * is not copied.
   */
  transcribe: (asked: { pcm: readonly Uint8Array[]; signal: AbortSignal; heard: OnRecognitionPass }) => Promise<string>;
}

/** The settings of an assessment before the first audio. */
export interface AssessmentRequest {
  /**
   * The text that the learner was to say; null for free speech, which is transcribed first and then assessed against
   * the transcript.
   */
  referenceText: string | null;
  signal: AbortSignal;
  heard: OnRecognitionPass;
}

/** An utterance that is assessed while it is being spoken. */
export interface AssessmentStream {
  write: (pcm: Uint8Array) => void;
  /** Ends the audio and returns the transcript and assessment; a dimension that was not measured is null. */
  end: () => Promise<{ text: string; assessment: Assessment }>;
}

export interface PronunciationAssessor {
  readonly name: string;
  open: (request: AssessmentRequest) => AssessmentStream;
}

export interface Synthesiser {
  readonly name: string;
  /** Yields 16-bit little-endian mono PCM at 24 kHz as it is generated. `spoken` is called each time the whole utterance is charged. */
  speak: (asked: {
    text: string;
    voice: CoachVoice;
    signal: AbortSignal;
    spoken: () => Promise<void>;
  }) => AsyncIterable<Uint8Array>;
}
