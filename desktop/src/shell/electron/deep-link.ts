/** Addresses that the system hands to the app because they begin with its scheme: only those that mean something open a page. */
import { SignInLink } from '@parley/contract';
import { APP_SCHEME } from './app-origin.ts';

/** Where in our page it leads; null where it means nothing. Anybody can put such an address on a web page: it presses no button. */
export function pageOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, searchParams } = new URL(address);
  if (protocol !== `${APP_SCHEME}:` || hostname !== 'sign-in') return null;
  const link = SignInLink.safeParse(searchParams.get('link'));
  return link.success ? `#/sign-in?link=${link.data}` : null;
}

/** On Windows and Linux it stands among the words with which the app was started. */
export const pageAmong = (words: readonly string[]): string | null =>
  words.map(pageOf).find((page) => page !== null) ?? null;

/** Whether the window shows a conversation, a call or the microphone before one. */
export const isTalking = (address: string): boolean => /#\/(?:session|microphone|drills\/say)\b/.test(address);
