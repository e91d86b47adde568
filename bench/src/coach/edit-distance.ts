/**
 * The number of elements that must be replaced, inserted or removed to turn one text or list into the other
 * (Levenshtein).
 */
export function editDistance(a: ArrayLike<string>, b: ArrayLike<string>): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1)
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
