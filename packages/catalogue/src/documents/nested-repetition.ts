/** One atom of a regular expression, or a group that begins or ends, with its repetition. Escapes and classes are atoms. */
const PARTS = /\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<[=!]|<\w+>|[:=!]))?|\)|[*+?]\??|\{\d+(?:,\d*)?\}\??|[^]/gu;
const REPETITION = /^(?:[*+]|\{(\d+)(,?)(\d*)\})/;
/** A part that may occur more often than that is as good as repeated without end. */
const MAX_TIMES = 10;

function isRepetition(part: string): boolean {
  const [found, least, comma, most] = REPETITION.exec(part) ?? [];
  if (found === undefined) return false;
  return least === undefined || (comma !== '' && most === '') || Number(most === '' ? least : most) > MAX_TIMES;
}

/**
 * Whether a part that repeats is inside another one that does, as in `(a+)+`. The words that such an expression does not match can take it
 * longer than the universe lasts, and it is asked after each answer of a learner.
 */
export function hasNestedRepetition(pattern: string): boolean {
  const parts = pattern.match(PARTS) ?? [];
  const groups = [{ repeats: false }];
  for (const [index, part] of parts.entries()) {
    const group = groups.at(-1);
    if (part.startsWith('(')) groups.push({ repeats: false });
    else if (part === ')' && groups.length > 1) {
      const repeats = groups.pop()?.repeats === true;
      if (repeats && isRepetition(parts[index + 1] ?? '')) return true;
      const outer = groups.at(-1);
      if (repeats && outer !== undefined) outer.repeats = true;
    } else if (isRepetition(part) && group !== undefined) group.repeats = true;
  }
  return false;
}
