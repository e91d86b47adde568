/** Decides which objectives a reply proves. Only words that the learner actually said count. */
import type { Assessment, DialogueReply, ObjectiveProof } from '@parley/domain';
import { comparableWords, containsPhrase, isFunctionWord } from '../text/comparable-words.ts';

export function proveObjectives(said: {
  reply: DialogueReply;
  /** The transcript or the typed text. */
  text: string;
  /** Null for typed turns. */
  assessment: Assessment | null;
  /** Keys of objectives that are already completed. */
  already: ReadonlySet<string>;
}): ObjectiveProof[] {
  const words = comparableWords(said.text);
  return keepSaid(said.reply.proves, said).flatMap((proof) => {
    const phrase = comparableWords(proof.words);
    if (said.already.has(proof.objective)) return [];
    if (containsPhrase(words, phrase)) return [proof];
    // With slightly different wording, the learner's own words become the proof.
    return containsContentWords(words, phrase)
      ? [{ ...proof, words: said.text.trim().slice(0, MAX_PROOF).toWellFormed() }]
      : [];
  });
}

/** Keeps the proofs whose content words were really said, according to the scorer. */
export function keepSaid<Proof extends { words: string }>(
  proofs: readonly Proof[],
  { assessment }: { assessment: Assessment | null },
): Proof[] {
  if (assessment?.unusable !== undefined) return [];
  const omitted = new Set(
    assessment?.words.filter((word) => word.error === 'Omission').flatMap((word) => comparableWords(word.word)),
  );
  return proofs.filter(
    ({ words }) => !comparableWords(words).some((word) => !isFunctionWord(word) && omitted.has(word)),
  );
}

const MAX_PROOF = 200;

/** True when every content word of the proof occurs, in any order. */
function containsContentWords(words: readonly string[], phrase: readonly string[]): boolean {
  const content = phrase.filter((word) => !isFunctionWord(word));
  return content.length > 0 && content.every((word) => containsPhrase(words, [word]));
}
