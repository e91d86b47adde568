/** Sentences in which the words that prove an objective are marked. */

const PROOF_MARK = /\[([^\]]+)\]\(([^)\s]+)\)/g;

/** Parses `I am [very sorry](apologise).` into the sentence "I am very sorry." and a proof of `apologise`. */
export function parseMarkedSentence(marked: string): { text: string; proves: { words: string; objective: string }[] } {
  const proves = [...marked.matchAll(PROOF_MARK)].map((match) => ({
    words: match[1] ?? '',
    objective: match[2] ?? '',
  }));
  return { text: marked.replace(PROOF_MARK, '$1'), proves };
}
