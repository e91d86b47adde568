/** Pictures that are drawn here from words, so that they follow the theme. A school's own pictures are shown as they are. */

const toDataUrl = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`;

const cache = new Map<string, string>();
export function cached(key: string, draw: () => string): string {
  const known = cache.get(key) ?? toDataUrl(draw());
  cache.set(key, known);
  return known;
}

/** The pictures of the starter catalogue are drawings; only these are replaced. */
export const isOwnDrawing = (url: string): boolean => url === '' || url.startsWith('data:image/svg+xml');
