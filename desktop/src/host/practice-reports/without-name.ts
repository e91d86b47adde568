/** Removes the learner's first name from a line of the coach before the school sees it: a language model addresses learners by it. */

const PLACEHOLDER = '[name]';
/** A single letter would be found in too many other places. */
const MIN_NAME_CHARACTERS = 2;

export function withoutName(line: string, firstName: string | null): string {
  const names = [firstName ?? '', ...(firstName ?? '').split(/\s+/)]
    .map((name) => name.trim())
    .filter((name) => name.length >= MIN_NAME_CHARACTERS)
    // A coach capitalises a name that the learner wrote without a capital. In lower case, "will" and "mark" are other words.
    .flatMap((name) => [name, name.charAt(0).toUpperCase() + name.slice(1)])
    .map((name) => name.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  if (names.length === 0) return line;
  return line.replaceAll(new RegExp(`(?<![\\p{L}\\p{M}])(?:${names.join('|')})(?![\\p{L}\\p{M}])`, 'gu'), PLACEHOLDER);
}
