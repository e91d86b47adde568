/** Where to scroll so that a line is seen. */

interface Span {
  topPx: number;
  heightPx: number;
}

/** Puts the line in the middle of what is seen; null while all of it is in sight. */
export function scrollTopFor(line: Span, seen: Span): number | null {
  const isInSight = line.topPx >= seen.topPx && line.topPx + line.heightPx <= seen.topPx + seen.heightPx;
  return isInSight ? null : Math.max(0, line.topPx - (seen.heightPx - line.heightPx) / 2);
}
