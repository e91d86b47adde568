/** Restricts navigation to our own page. Secure links open in the learner's browser. */
import { isAppUrl } from '../protocol/app-origin.ts';

/** The payment fake and a self-hosted server have their pages here. */
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

export type Destination = 'here' | 'browser' | 'nowhere';

/** The system may start any program that registered a scheme, so only https and local pages leave the app. */
export function destinationOf(address: string): Destination {
  if (isAppUrl(address)) return 'here';
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

export function guardNavigation(contents: GuardedContents, openInBrowser: (address: string) => void): void {
  const preventLeaving = (details: NavigationDetails): void => {
    const destination = destinationOf(details.url);
    if (destination === 'here' && details.isMainFrame) return;
    details.preventDefault();
    if (destination === 'browser' && details.isMainFrame) openInBrowser(details.url);
  };
  contents.on('will-frame-navigate', preventLeaving);
  contents.on('will-redirect', preventLeaving);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (destinationOf(url) === 'browser') openInBrowser(url);
    return { action: 'deny' };
  });
}
