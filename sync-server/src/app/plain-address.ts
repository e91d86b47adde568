/** Addresses as they were sent. */

/** Limits are chosen by the address as it was sent: one with `..` in it would be answered as another, under the wrong limit. */
export function isPlainAddress(url: string): boolean {
  const path = url.split('?', 1)[0] ?? '';
  return URL.parse(path, 'http://server.invalid')?.pathname === path;
}
