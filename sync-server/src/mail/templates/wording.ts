/** Names and days as mails write them. */

/**
 * Letters, and what stands between them in names. Anybody can ask for access under any name with the address of somebody else: an
 * address of a website in it would make our mail theirs.
 */
const NAME = /^\p{L}[\p{L}\p{M}'’ -]{0,39}$/u;

export function greeting(firstName: string | null): string {
  const name = (firstName ?? '').replaceAll(/\s+/g, ' ').trim();
  return NAME.test(name) ? `Hello ${name},` : 'Hello,';
}

export const formatDay = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'long', year: 'numeric' }).format(at);
