/** Detects request paths that would be normalised to another route. */

/**
 * Limits are chosen by the path as sent, so a path that is another spelling of a route would reach it under the wrong limit: with `..` in it,
 * or with a slash at its end, which the contract's router ignores.
 */
export function isNormalizedPath(url: string): boolean {
  const path = url.split('?', 1)[0] ?? '';
  return !path.endsWith('/') && URL.parse(path, 'http://server.invalid')?.pathname === path;
}
