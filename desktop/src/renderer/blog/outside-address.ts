/** Where a link in a post leads outside the app. */

const PROTOCOLS = ['https:', 'http:', 'mailto:'];

/** Null for an address that cannot be opened from here, such as an anchor on the same page. */
export function toOutsideAddress(href: string, serverAddress: string | null): string | null {
  if (href.startsWith('#') || !URL.canParse(href, serverAddress ?? undefined)) return null;
  const url = new URL(href, serverAddress ?? undefined);
  return PROTOCOLS.includes(url.protocol) ? url.href : null;
}
