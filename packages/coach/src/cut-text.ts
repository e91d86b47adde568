/** Text within a bound that somebody else set. */

/** Cut after a whole word where there is one, with an ellipsis; never inside a character. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const room = text.slice(0, maxChars - 1).replace(/[\uD800-\uDBFF]$/, '');
  const lastSpace = room.lastIndexOf(' ');
  return `${room.slice(0, lastSpace > maxChars / 2 ? lastSpace : room.length).trimEnd()}…`;
}
