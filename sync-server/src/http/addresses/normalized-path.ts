/** Detects request paths that would be normalised to another route. */

/** Limits are chosen by the path as sent, so a path with `..` in it would reach another route under the wrong limit. */
export function isNormalizedPath(url: string): boolean {
  const path = url.split('?', 1)[0] ?? '';
  return URL.parse(path, 'http://server.invalid')?.pathname === path;
}
