/**
 * Removes a model's reasoning from its text. Servers without a reasoning parser (vLLM by default) put `<think>…</think>` into the answer,
 * and some chat templates open the tag themselves, so that only `</think>` arrives.
 */
const OPENING_TAGS = ['<think>', '<thinking>'];
const CLOSING_TAGS = ['</think>', '</thinking>'];
const LONGEST_TAG = Math.max(...[...OPENING_TAGS, ...CLOSING_TAGS].map(({ length }) => length));

export interface ReasoningFilter {
  /** Returns the visible part of a chunk, even when a tag is split between chunks. */
  push: (chunk: string) => string;
  /** Returns text that was held back because it might have started a tag. */
  flush: () => string;
  /** Whether any reasoning was removed. */
  hasReasoning: () => boolean;
  /** Whether a closing tag came without an opening one, in which case the text before it was reasoning. */
  hasUnopenedEnd: () => boolean;
}

/** `startsThinking`: the answer begins inside the reasoning. */
export function createReasoningFilter({ startsInReasoning }: { startsInReasoning: boolean }): ReasoningFilter {
  let isInReasoning = startsInReasoning;
  let hasReasoning = startsInReasoning;
  let hasUnopenedEnd = false;
  let buffer = '';

  function consumeTag(): string | null {
    const tag = firstTag(buffer, isInReasoning ? CLOSING_TAGS : [...OPENING_TAGS, ...CLOSING_TAGS]);
    if (tag === null) return null;
    const before = buffer.slice(0, tag.at);
    buffer = buffer.slice(tag.at + tag.text.length);
    const isEnd = CLOSING_TAGS.includes(tag.text);
    hasUnopenedEnd ||= isEnd && !isInReasoning;
    const visible = isInReasoning || isEnd ? '' : before;
    isInReasoning = !isEnd;
    hasReasoning = true;
    return visible;
  }

  return {
    push: (chunk) => {
      buffer += chunk;
      let visible = '';
      for (let part = consumeTag(); part !== null; part = consumeTag()) visible += part;
      const keep = partialTagLength(buffer);
      if (!isInReasoning) visible += buffer.slice(0, buffer.length - keep);
      buffer = buffer.slice(buffer.length - keep);
      return visible;
    },
    flush: () => (isInReasoning ? '' : buffer),
    hasReasoning: () => hasReasoning,
    hasUnopenedEnd: () => hasUnopenedEnd,
  };
}

function firstTag(text: string, tags: readonly string[]): { at: number; text: string } | null {
  const found = tags.map((tag) => ({ at: text.indexOf(tag), text: tag })).filter(({ at }) => at !== -1);
  return found.toSorted((a, b) => a.at - b.at)[0] ?? null;
}

/** Returns how many characters at the end could be the start of a tag. */
function partialTagLength(text: string): number {
  for (let length = Math.min(LONGEST_TAG - 1, text.length); length > 0; length -= 1) {
    const end = text.slice(-length);
    if ([...OPENING_TAGS, ...CLOSING_TAGS].some((tag) => tag.startsWith(end))) return length;
  }
  return 0;
}
