/** The speaker's interface, without the code that implements it. */
import type { CoachVoice } from '@parley/domain';
import type { SoundCue } from '../cues/render-cue.ts';
import type { Clip } from './play-wav.ts';

/** An utterance that is spoken while its text is still streaming. */
export interface StreamingUtterance {
  /** Takes the whole text received so far. */
  update: (line: string) => void;
  /** Takes the complete text. Resolves when it has been spoken or stopped. */
  complete: (line: string) => Promise<void>;
  /** Stops this utterance only. */
  stop: () => void;
}

export interface Speaker {
  /** The id or text of what is playing, or null. */
  playing: string | null;
  /** Speaks with the system's or the bundled voice. Resolves at its end. */
  speak: (text: string, voice?: CoachVoice, options?: { rate?: number }) => Promise<void>;
  /** Streams a model coach's utterance in its own voice, and falls back to `speak` when that is missing or fails. */
  beginUtterance: (voice: CoachVoice, options?: { rate?: number }) => StreamingUtterance;
  /** Speaks a complete utterance in the same way. */
  speakUtterance: (text: string, voice: CoachVoice, options?: { rate?: number }) => Promise<void>;
  /** Plays a WAV or a clip of it; `id` identifies the button that shows it as playing. */
  play: (wav: Blob, options?: { id?: string; clip?: Clip; rate?: number }) => Promise<void>;
  /** Returns the bundled voice as a WAV so that its waveform can be drawn beside the learner's. */
  synthesiseModel: (text: string) => Promise<Blob>;
  stop: () => void;
  /**
   * Plays a cue, unless cues are switched off or something is being spoken or recorded. Resolves when it can no longer
   * be heard, so that a recording which waits for it does not contain it.
   */
  cue: (cue: SoundCue) => Promise<void>;
}
