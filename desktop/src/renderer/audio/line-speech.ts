/** Speaks a coach's line while it is still being found: piece after piece, the next one fetched while one is heard. */
import { SPOKEN_SAMPLE_RATE_HZ } from '@parley/contract';
import { speakablePieces } from '@parley/domain';
import { fetchAhead, type Fetched } from './fetch-ahead.ts';
import { createStretcher } from './stretch.ts';

export interface LineVoices {
  /** The coach's own: 16-bit PCM at 24 kHz, while it is made. Throws where there is none, and where it breaks off. */
  fetch: (text: string, signal: AbortSignal) => AsyncIterable<Int16Array>;
  /** Another one, of this computer. Resolves at its end, or when it is stopped. */
  speakHere: (text: string, signal: AbortSignal) => Promise<void>;
}

export interface SoundLine {
  add: (pcm: Int16Array) => void;
  /** All that was added. */
  whenHeard: () => Promise<void>;
}

export interface SpokenLine {
  /** The line from its beginning, as far as it has come. */
  grow: (line: string) => void;
  /** The line is whole. Resolves when it was heard, or was stopped. */
  finish: (line: string) => Promise<void>;
}

/** Beside the piece that is heard. */
const FETCHED_AHEAD = 1;
/** How fast somebody speaks at most: where a voice breaks off, rather a word is left out than said twice. */
const MS_A_CHARACTER = 55;
const NOTHING: Fetched = async () => null;
const SAMPLES_A_MS = SPOKEN_SAMPLE_RATE_HZ / 1_000;

export interface LineSpeechParts {
  voices: LineVoices;
  open: (signal: AbortSignal) => Promise<SoundLine>;
  /** 1 is the voice's own speed. */
  rate: number;
  signal: AbortSignal;
}

export function speakLine({ voices, open, rate, signal }: LineSpeechParts): SpokenLine {
  const ending = new AbortController();
  const whileFetching = AbortSignal.any([signal, ending.signal]);
  const pieces: string[] = [];
  const fetched: Fetched[] = [];
  let isWhole = false;
  let isOwnVoiceGone = false;
  let current = 0;
  let wake: () => void = () => undefined;
  const opening = open(signal);
  // Heard of when the first sound is there to be played.
  opening.catch(() => undefined);

  function fetchWhatIsNext(): void {
    const end = Math.min(pieces.length, current + 1 + FETCHED_AHEAD);
    for (let index = fetched.length; index < end && !isOwnVoiceGone; index += 1)
      fetched.push(fetchAhead(voices.fetch(pieces[index] ?? '', whileFetching)));
  }

  function take(line: string, whole: boolean): void {
    if (isWhole || signal.aborted) return;
    pieces.push(...speakablePieces(line, { isWhole: whole }).slice(pieces.length));
    isWhole = whole;
    fetchWhatIsNext();
    wake();
  }

  async function nextPiece(): Promise<string | null> {
    for (;;) {
      const piece = pieces[current];
      if (piece !== undefined || isWhole || signal.aborted) return signal.aborted ? null : (piece ?? null);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  /** What of the piece remains to be said by another voice; nothing when all went well. */
  async function sayInOwnVoice(piece: string): Promise<string> {
    let samples = 0;
    try {
      const sound = await opening;
      const stretcher = createStretcher(rate);
      const next = fetched[current] ?? NOTHING;
      for (let pcm = await next(); pcm !== null; pcm = await next()) {
        samples += pcm.length;
        sound.add(stretcher.take(pcm));
      }
      sound.add(stretcher.finish());
      return '';
    } catch {
      isOwnVoiceGone = true;
      ending.abort();
      return restAfter(piece, samples / SAMPLES_A_MS);
    }
  }

  const whenHeard = async (): Promise<void> => (await opening.catch(() => null))?.whenHeard();

  async function speakAll(): Promise<void> {
    for (let piece = await nextPiece(); piece !== null; piece = await nextPiece()) {
      const wasGone = isOwnVoiceGone;
      const left = wasGone ? piece : await sayInOwnVoice(piece);
      if (signal.aborted) return;
      // The two voices do not speak at once.
      if (isOwnVoiceGone && !wasGone) await whenHeard();
      if (left !== '' && !signal.aborted) await voices.speakHere(left, signal);
      current += 1;
      fetchWhatIsNext();
    }
    if (!isOwnVoiceGone && !signal.aborted) await whenHeard();
  }

  signal.addEventListener('abort', () => wake(), { once: true });
  const spoken = speakAll();
  // Whoever finishes the line hears of it.
  spoken.catch(() => undefined);
  return {
    grow: (line) => take(line, false),
    finish: (line) => {
      take(line, true);
      return spoken;
    },
  };
}

/** The words that were not yet said when a voice broke off after so long. */
export function restAfter(text: string, heardMs: number): string {
  if (heardMs === 0) return text;
  let left = heardMs / MS_A_CHARACTER;
  const words = text.split(' ');
  while (words.length > 0 && left > 0) left -= (words.shift() ?? '').length + 1;
  return words.join(' ');
}
