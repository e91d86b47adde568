/** What the server asks of speech services, whoever they are. Audio is 16-bit little-endian mono PCM at 16 kHz. */
import type { Assessment, CoachVoice } from '@parley/domain';

/**
 * Sound that a provider heard once: an utterance may need several passes, and one that failed or was hung up is charged too. For a pass that
 * broke off it is all that was sent, which is rather too much.
 */
export interface HeardPass {
  seconds: number;
  /** Scored, and not only written down. */
  isScored: boolean;
}

/** Told of each pass that is charged, before the answer, or its failure, is over. */
export type HeardPassed = (pass: HeardPass) => Promise<void>;

export interface Transcriber {
  readonly name: string;
  /** What was said, in the speaker's own words; empty when nothing was. */
  transcribe: (asked: { pcm: Uint8Array; signal: AbortSignal; heard: HeardPassed }) => Promise<string>;
}

/** What an assessor is told before the first sound. */
export interface AssessmentWish {
  /** What the learner was to say; null for free speech, which is written down first and then assessed against what was said. */
  referenceText: string | null;
  signal: AbortSignal;
  heard: HeardPassed;
}

/** An utterance while it is spoken. */
export interface AssessmentStream {
  write: (pcm: Uint8Array) => void;
  /** No more sound will come. What was said, and how well; what was not measured is null. */
  end: () => Promise<{ text: string; assessment: Assessment }>;
}

export interface PronunciationAssessor {
  readonly name: string;
  open: (wish: AssessmentWish) => AssessmentStream;
}

export interface Synthesiser {
  readonly name: string;
  /** PCM at 24 kHz, 16-bit little-endian mono, in pieces as it is made. `spoken` is told of each time that the line is charged, whole. */
  speak: (asked: {
    text: string;
    voice: CoachVoice;
    signal: AbortSignal;
    spoken: () => Promise<void>;
  }) => AsyncIterable<Uint8Array>;
}

export const SPEECH_FAILURES = ['key_refused', 'busy', 'unreachable', 'malformed'] as const;

/** Transient ones have been tried again before they are thrown. */
export class SpeechFailure extends Error {
  readonly reason: (typeof SPEECH_FAILURES)[number];
  readonly retryAfterMs: number | null;

  constructor(reason: SpeechFailure['reason'], options: ErrorOptions & { retryAfterMs?: number | null } = {}) {
    super(reason, options);
    this.reason = reason;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
