/** Which objectives a reply proves: only with the learner's own words, and only if they were really said. */
import type { Assessment, DialogueReply, ObjectiveProof } from '@parley/domain';
import { comparableWords, containsPhrase, isFunctionWord } from '../words.ts';

export function proveObjectives(said: {
  reply: DialogueReply;
  /** What the learner said or typed. */
  text: string;
  /** Null for typed turns. */
  assessment: Assessment | null;
  /** Keys that were proved before: once ticked, an objective stays ticked. */
  already: ReadonlySet<string>;
}): ObjectiveProof[] {
  if (said.assessment?.unusable !== undefined) return [];
  const words = comparableWords(said.text);
  const omitted = new Set(
    said.assessment?.words.filter((word) => word.error === 'Omission').flatMap((word) => comparableWords(word.word)),
  );
  return said.reply.proves.flatMap((proof) => {
    const phrase = comparableWords(proof.words);
    const wasLeftOut = phrase.some((word) => !isFunctionWord(word) && omitted.has(word));
    if (said.already.has(proof.objective) || wasLeftOut) return [];
    if (containsPhrase(words, phrase)) return [proof];
    // Worded a little differently: the proof is then what the learner really said.
    return saysTheSame(words, phrase) ? [{ ...proof, words: said.text.trim().slice(0, MAX_PROOF) }] : [];
  });
}

const MAX_PROOF = 200;

/** All content words of the proof, in any order. */
function saysTheSame(words: readonly string[], phrase: readonly string[]): boolean {
  const content = phrase.filter((word) => !isFunctionWord(word));
  return content.length > 0 && content.every((word) => containsPhrase(words, [word]));
}
