/** The three hint levels: a keyword, an opening, the whole sentence. */
import type { DialogueReply } from '@parley/domain';

const OPENING_SHARE = 1 / 3;
const MIN_OPENING_WORDS = 2;

/** One hint per possible reply. */
export function buildHints(candidates: readonly Pick<DialogueReply, 'keyword' | 'text'>[], level: 1 | 2 | 3): string[] {
  switch (level) {
    case 1:
      return candidates.map((reply) => reply.keyword);
    case 2:
      return candidates.map((reply) => opening(reply.text));
    case 3:
      return candidates.map((reply) => reply.text);
  }
}

function opening(sentence: string): string {
  const words = sentence.split(' ');
  return `${words.slice(0, Math.max(MIN_OPENING_WORDS, Math.round(words.length * OPENING_SHARE))).join(' ')} …`;
}
