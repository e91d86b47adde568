/** Shortens text to a length limit. */

/** Cuts after a whole word if possible, adds an ellipsis, and never splits a character. */
export function truncateText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = text.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, '');
  const lastSpace = head.lastIndexOf(' ');
  return `${head.slice(0, lastSpace > maxChars / 2 ? lastSpace : head.length).trimEnd()}…`;
}
