/** Computes the scroll position at which a line is visible. */

interface Span {
  topPx: number;
  heightPx: number;
}

/** Centres the line in the visible part; null while all of it is visible. */
export function scrollTopFor(line: Span, seen: Span): number | null {
  const isInSight = line.topPx >= seen.topPx && line.topPx + line.heightPx <= seen.topPx + seen.heightPx;
  return isInSight ? null : Math.max(0, line.topPx - (seen.heightPx - line.heightPx) / 2);
}
