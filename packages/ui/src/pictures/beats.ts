/** A sentence as bars and dots: a guess from spelling, good enough for a picture and never used for a score. */

export interface Beat {
  /** The position in the sentence, from 0 to 1. */
  place: number;
  /** From 0 to 1: a stressed syllable is loud. */
  loud: number;
  /** The pitch of the voice around 0. */
  pitch: number;
}

export function beatsOf(sentence: string): Beat[] {
  const beats: { at: number; loud: number }[] = [];
  let at = 0;
  for (const word of sentence.match(/[\p{L}'’-]+|[,.;:?!…]/gu) ?? []) {
    if (/^[,.;:?!…]$/.test(word)) {
      at += word === ',' ? 0.7 : 1.3;
      continue;
    }
    const vowels = word.toLowerCase().match(/[aeiouy]+/g) ?? [];
    const syllables = Math.max(1, vowels.length - (/[^l]e$/.test(word) ? 1 : 0));
    for (let syllable = 0; syllable < syllables; syllable++) {
      const isStressed = word.length > 3 && syllable === (syllables > 2 ? 1 : 0);
      const loud = isStressed ? 0.72 + Math.min(0.28, word.length / 36) : word.length > 3 ? 0.34 : 0.12;
      beats.push({ at, loud });
      at += 1;
    }
    at += 0.12;
  }
  const end = beats.at(-1)?.at || 1;
  const rises = /\?\s*$/.test(sentence);
  return beats.map((beat) => {
    const place = beat.at / end;
    // A voice becomes softer and lower towards the end, and rises in a question.
    const rise = rises ? Math.max(0, place - 0.7) * 3.4 : 0;
    return { place, loud: beat.loud * (1 - 0.25 * place), pitch: 0.35 - 0.7 * place + rise };
  });
}

/** FNV-1a: the same text always gives the same picture. */
export function seedOf(text: string): number {
  let hash = 2_166_136_261;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619);
  return hash >>> 0;
}

/** Mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
