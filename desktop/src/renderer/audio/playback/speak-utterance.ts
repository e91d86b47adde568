/** Speaks a coach's utterance while its text is still streaming, and synthesises the next segment during playback. */
import { SPOKEN_SAMPLE_RATE_HZ } from '@parley/contract';
import { splitForSpeech } from '@parley/domain';
import { prefetch, type NextChunk } from './prefetch.ts';
import { createTimeStretcher } from './time-stretch.ts';

export interface UtteranceVoices {
  /** Streams the coach's own voice as 16-bit PCM at 24 kHz. Throws when there is no such voice or it breaks off. */
  synthesise: (text: string, signal: AbortSignal) => AsyncIterable<Int16Array>;
  /** Speaks with a voice of this computer. Resolves when the speech ends or is aborted. */
  speakLocally: (text: string, signal: AbortSignal) => Promise<void>;
}

export interface UtterancePlayback {
  add: (pcm: Int16Array) => void;
  /** Resolves when all the audio added so far has been played. */
  whenPlayed: () => Promise<void>;
}

export interface SpokenUtterance {
  /** Takes the whole text received so far. */
  update: (line: string) => void;
  /** Takes the complete text. Resolves when it has been spoken or aborted. */
  complete: (line: string) => Promise<void>;
}

/** The segments that are synthesised ahead of the one being played. */
const PREFETCHED_SEGMENTS = 1;
/** Assumes the fastest speaking rate, because after a failure it is better to skip a word than to repeat one. */
const MS_PER_CHARACTER = 55;
const NO_SOUND: NextChunk = async () => null;
const SAMPLES_PER_MS = SPOKEN_SAMPLE_RATE_HZ / 1_000;

export interface SpeakUtteranceOptions {
  voices: UtteranceVoices;
  openPlayback: (signal: AbortSignal) => Promise<UtterancePlayback>;
  /** The speed; 1 is the voice's normal speed. */
  rate: number;
  signal: AbortSignal;
}

export function speakUtterance({ voices, openPlayback, rate, signal }: SpeakUtteranceOptions): SpokenUtterance {
  const synthesisAbort = new AbortController();
  const synthesisSignal = AbortSignal.any([signal, synthesisAbort.signal]);
  const segments: string[] = [];
  const prefetchedSegments: NextChunk[] = [];
  let isComplete = false;
  let hasCoachVoiceFailed = false;
  let currentIndex = 0;
  let notifyTextChanged: () => void = () => undefined;
  const playbackOpening = openPlayback(signal);
  // The failure is handled when the first segment is played; until then it must not count as unhandled.
  playbackOpening.catch(() => undefined);

  function prefetchNextSegments(): void {
    const end = Math.min(segments.length, currentIndex + 1 + PREFETCHED_SEGMENTS);
    for (let index = prefetchedSegments.length; index < end && !hasCoachVoiceFailed; index += 1)
      prefetchedSegments.push(prefetch(voices.synthesise(segments[index] ?? '', synthesisSignal)));
  }

  function setText(line: string, isLast: boolean): void {
    if (isComplete || signal.aborted) return;
    segments.push(...splitForSpeech(line, { isComplete: isLast }).slice(segments.length));
    isComplete = isLast;
    prefetchNextSegments();
    notifyTextChanged();
  }

  async function waitForNextSegment(): Promise<string | null> {
    for (;;) {
      const piece = segments[currentIndex];
      if (piece !== undefined || isComplete || signal.aborted) return signal.aborted ? null : (piece ?? null);
      await new Promise<void>((resolve) => {
        notifyTextChanged = resolve;
      });
    }
  }

  /** Returns the part of the segment that the coach's voice did not speak, or an empty string. */
  async function speakInCoachVoice(piece: string): Promise<string> {
    let samples = 0;
    try {
      const playback = await playbackOpening;
      const stretcher = createTimeStretcher(rate);
      const next = prefetchedSegments[currentIndex] ?? NO_SOUND;
      for (let pcm = await next(); pcm !== null; pcm = await next()) {
        samples += pcm.length;
        playback.add(stretcher.process(pcm));
      }
      playback.add(stretcher.flush());
      return '';
    } catch {
      hasCoachVoiceFailed = true;
      synthesisAbort.abort();
      return unspokenText(piece, samples / SAMPLES_PER_MS);
    }
  }

  const whenPlayed = async (): Promise<void> => (await playbackOpening.catch(() => null))?.whenPlayed();

  async function speakSegments(): Promise<void> {
    for (let piece = await waitForNextSegment(); piece !== null; piece = await waitForNextSegment()) {
      const hadFailedBefore = hasCoachVoiceFailed;
      const unspoken = hadFailedBefore ? piece : await speakInCoachVoice(piece);
      if (signal.aborted) return;
      // The two voices must not overlap.
      if (hasCoachVoiceFailed && !hadFailedBefore) await whenPlayed();
      if (unspoken !== '' && !signal.aborted) await voices.speakLocally(unspoken, signal);
      currentIndex += 1;
      prefetchNextSegments();
    }
    if (!hasCoachVoiceFailed && !signal.aborted) await whenPlayed();
  }

  signal.addEventListener('abort', () => notifyTextChanged(), { once: true });
  const finished = speakSegments();
  // Completing the utterance reports the failure; until then the rejection must not count as unhandled.
  finished.catch(() => undefined);
  return {
    update: (line) => setText(line, false),
    complete: (line) => {
      setText(line, true);
      return finished;
    },
  };
}

/** Estimates which words were not yet spoken when a voice broke off after `heardMs`. */
export function unspokenText(text: string, heardMs: number): string {
  if (heardMs === 0) return text;
  let charactersSpoken = heardMs / MS_PER_CHARACTER;
  const words = text.split(' ');
  while (words.length > 0 && charactersSpoken > 0) charactersSpoken -= (words.shift() ?? '').length + 1;
  return words.join(' ');
}
