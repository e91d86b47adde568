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
  const words = comparableWords(said.text);
  const omitted = new Set(
    said.assessment?.words.filter((word) => word.error === 'Omission').flatMap((word) => comparableWords(word.word)),
  );
  if (said.assessment?.unusable !== undefined) return [];
  return said.reply.proves.filter((proof) => {
    const phrase = comparableWords(proof.words);
    const wasLeftOut = phrase.some((word) => !isFunctionWord(word) && omitted.has(word));
    return !said.already.has(proof.objective) && !wasLeftOut && standsIn(words, phrase);
  });
}

/** Typed replies may word it a little differently: all content words of the proof, in any order, are enough. */
function standsIn(words: readonly string[], phrase: readonly string[]): boolean {
  if (containsPhrase(words, phrase)) return true;
  const content = phrase.filter((word) => !isFunctionWord(word));
  return content.length > 0 && content.every((word) => containsPhrase(words, [word]));
}
