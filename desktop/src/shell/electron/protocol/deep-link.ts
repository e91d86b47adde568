/** Parses addresses with the app's scheme that the system passes to it. Only known ones open a page. */
import { readConnectLink, SignInLink } from '@parley/contract';
import { APP_SCHEME } from './app-origin.ts';

/** Screens that only show something. A session is not among them, because opening one starts it. */
const LINKED_SCREENS =
  /^\/(?:practise(?:\/[\w-]{1,64})?|courses(?:\/[\w-]{1,64})?|drills|shadow|review|progress|history|coach|plan|settings|help|blog(?:\/[\w-]{1,200})?)$/;

/**
 * Whether the learner is asked before the page opens. The other pages announce by themselves what they are about to do.
 */
export const needsQuestion = (page: string): boolean => LINKED_SCREENS.test(page.slice(1));

/**
 * Returns the route of an address, or null for an unknown one. Any web page can contain such an address, so it must
 * never trigger an action.
 */
export function routeOfLink(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const server = readConnectLink(address);
  if (server !== null) return `#/connect?server=${encodeURIComponent(server)}`;
  const { protocol, hostname, pathname, searchParams } = new URL(address);
  if (protocol !== `${APP_SCHEME}:`) return null;
  if (hostname === 'open') return LINKED_SCREENS.test(pathname) ? `#${pathname}` : null;
  if (hostname !== 'sign-in') return null;
  const link = SignInLink.safeParse(searchParams.get('link'));
  return link.success ? `#/sign-in?link=${link.data}` : null;
}

/** Windows and Linux pass the address as a command line argument. */
export const findLinkedRoute = (words: readonly string[]): string | null =>
  words.map(routeOfLink).find((page) => page !== null) ?? null;

/**
 * Whether the window shows a session, a call or the microphone check before one. The result of a session does not
 * count.
 */
export const showsSession = (address: string): boolean =>
  /#\/(?:session\b(?!\/[^/?]+\/result\b)|(?:microphone|drills\/say)\b)/.test(address);
