/** Detects request paths that would be normalised to another route. */

/**
 * Limits are chosen by the path as sent. A different spelling of a route, with `..` in it or with a trailing slash
 * (which the contract's router ignores), would therefore reach the route under the wrong limit.
 */
export function isNormalizedPath(url: string): boolean {
  const path = url.split('?', 1)[0] ?? '';
  return !path.endsWith('/') && URL.parse(path, 'http://server.invalid')?.pathname === path;
}
