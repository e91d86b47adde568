/** Links that suggest a server to the app: `parley://connect?server=https%3A%2F%2Fparley.example`. */

const MAX_LINK_CHARACTERS = 600;

export const formatConnectLink = (serverUrl: string): string =>
  `parley://connect?server=${encodeURIComponent(serverUrl)}`;

/** Returns the address in a link, as it was written, or null when the text is not such a link. */
export function readConnectLink(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LINK_CHARACTERS) return null;
  const url = URL.parse(trimmed);
  return url?.protocol === 'parley:' && url.hostname === 'connect' ? url.searchParams.get('server') : null;
}
