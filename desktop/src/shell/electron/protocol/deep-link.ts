/** Parses addresses with the app's scheme that the system passes to it. Only known ones open a page. */
import { readConnectLink, SignInLink } from '@parley/contract';
import { APP_SCHEME } from './app-origin.ts';

/**
 * Returns the route of an address, or null for an unknown one. Any web page can contain such an address, so it must
 * never trigger an action.
 */
export function routeOfLink(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const server = readConnectLink(address);
  if (server !== null) return `#/connect?server=${encodeURIComponent(server)}`;
  const { protocol, hostname, searchParams } = new URL(address);
  if (protocol !== `${APP_SCHEME}:` || hostname !== 'sign-in') return null;
  const link = SignInLink.safeParse(searchParams.get('link'));
  return link.success ? `#/sign-in?link=${link.data}` : null;
}

/** Windows and Linux pass the address as a command line argument. */
export const findLinkedRoute = (words: readonly string[]): string | null =>
  words.map(routeOfLink).find((page) => page !== null) ?? null;

/** Whether the window shows a session, a call or the microphone check before one. */
export const showsSession = (address: string): boolean => /#\/(?:session|microphone|drills\/say)\b/.test(address);
