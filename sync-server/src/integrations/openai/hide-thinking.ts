/**
 * Takes what a model thinks out of what it says. Servers without a reasoning parser (vLLM by default) put `<think>…</think>` into the answer,
 * and some chat templates open the thought themselves, so that only `</think>` arrives.
 */
const OPENERS = ['<think>', '<thinking>'];
const CLOSERS = ['</think>', '</thinking>'];
const LONGEST_MARK = Math.max(...[...OPENERS, ...CLOSERS].map(({ length }) => length));

export interface ThinkingFilter {
  /** The spoken part of a piece, however marks are cut between pieces. */
  take: (piece: string) => string;
  /** What was held back since it might have begun a mark. */
  rest: () => string;
  /** Whether a thought was taken out. */
  hasThought: () => boolean;
  /** Whether a thought ended that had not begun: what came before it was no answer. */
  hasStrayEnd: () => boolean;
}

/** `startsThinking`: the answer begins inside a thought. */
export function hideThinking({ startsThinking }: { startsThinking: boolean }): ThinkingFilter {
  let isThinking = startsThinking;
  let hasThought = startsThinking;
  let hasStrayEnd = false;
  let held = '';

  function next(): string | null {
    const mark = firstMark(held, isThinking ? CLOSERS : [...OPENERS, ...CLOSERS]);
    if (mark === null) return null;
    const before = held.slice(0, mark.at);
    held = held.slice(mark.at + mark.text.length);
    const isEnd = CLOSERS.includes(mark.text);
    hasStrayEnd ||= isEnd && !isThinking;
    const spoken = isThinking || isEnd ? '' : before;
    isThinking = !isEnd;
    hasThought = true;
    return spoken;
  }

  return {
    take: (piece) => {
      held += piece;
      let spoken = '';
      for (let part = next(); part !== null; part = next()) spoken += part;
      const keep = lengthOfBegunMark(held);
      if (!isThinking) spoken += held.slice(0, held.length - keep);
      held = held.slice(held.length - keep);
      return spoken;
    },
    rest: () => (isThinking ? '' : held),
    hasThought: () => hasThought,
    hasStrayEnd: () => hasStrayEnd,
  };
}

function firstMark(text: string, marks: readonly string[]): { at: number; text: string } | null {
  const found = marks.map((mark) => ({ at: text.indexOf(mark), text: mark })).filter(({ at }) => at !== -1);
  return found.toSorted((a, b) => a.at - b.at)[0] ?? null;
}

/** How much of the end may be the beginning of a mark. */
function lengthOfBegunMark(text: string): number {
  for (let length = Math.min(LONGEST_MARK - 1, text.length); length > 0; length -= 1) {
    const end = text.slice(-length);
    if ([...OPENERS, ...CLOSERS].some((mark) => mark.startsWith(end))) return length;
  }
  return 0;
}
