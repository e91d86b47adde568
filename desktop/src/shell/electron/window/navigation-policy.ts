/**
 * Restricts navigation to our own page. Secure links open in the learner's browser, e-mail addresses in their mail
 * program, and the microphone settings in the system's.
 */
import { MICROPHONE_SETTINGS_ADDRESSES } from '@parley/contract';
import { isAppUrl } from '../protocol/app-origin.ts';

/** The payment fake and self-hosted servers have their pages here. */
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

export type Destination = 'here' | 'browser' | 'system' | 'nowhere';

/** A single address, without fields such as an attachment, which some mail programs accept from a link. */
const MAIL_ADDRESS = /^mailto:\w[\w.+-]*@[\w.-]+$/;

const SYSTEM_SETTINGS: ReadonlySet<string> = new Set(Object.values(MICROPHONE_SETTINGS_ADDRESSES));

/**
 * The system may start any program that has registered a scheme, so only https, local pages, e-mail addresses and
 * these settings may be opened outside the app.
 */
export function destinationOf(address: string): Destination {
  if (isAppUrl(address)) return 'here';
  if (SYSTEM_SETTINGS.has(address) || MAIL_ADDRESS.test(address)) return 'system';
  if (!URL.canParse(address)) return 'nowhere';
  const url = new URL(address);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
  return isSafe && url.username === '' && url.password === '' ? 'browser' : 'nowhere';
}

export interface GuardedContents {
  on(event: 'will-frame-navigate' | 'will-redirect', listener: (details: NavigationDetails) => void): unknown;
  on(event: 'will-attach-webview', listener: (event: { preventDefault: () => void }) => void): unknown;
  setWindowOpenHandler(handler: (details: { url: string }) => { action: 'deny' }): void;
}

interface NavigationDetails {
  url: string;
  isMainFrame: boolean;
  preventDefault: () => void;
}

export function guardNavigation(contents: GuardedContents, openOutside: (address: string) => void): void {
  const preventLeaving = (details: NavigationDetails): void => {
    const destination = destinationOf(details.url);
    if (destination === 'here' && details.isMainFrame) return;
    details.preventDefault();
    if (destination === 'browser' && details.isMainFrame) openOutside(details.url);
  };
  contents.on('will-frame-navigate', preventLeaving);
  contents.on('will-redirect', preventLeaving);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (['browser', 'system'].includes(destinationOf(url))) openOutside(url);
    return { action: 'deny' };
  });
}
