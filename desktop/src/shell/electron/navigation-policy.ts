/** Where the window may go: nowhere but our own page. Secure links open in the learner's own browser. */
import { isAppUrl } from './app-origin.ts';

/** Where the stand-in for payments, and a server of one's own, have their pages. */
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

export type Destination = 'here' | 'browser' | 'nowhere';

/** The system would start any program that claims a scheme: only https leaves the app, and pages of this very computer. */
export function destinationOf(address: string): Destination {
  if (isAppUrl(address)) return 'here';
  if (!URL.canParse(address)) return 'nowhere';
  const url = new URL(address);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
  return isSafe && url.username === '' && url.password === '' ? 'browser' : 'nowhere';
}

export interface Guarded {
  on(event: 'will-frame-navigate' | 'will-redirect', listener: (details: NavigationDetails) => void): unknown;
  on(event: 'will-attach-webview', listener: (event: { preventDefault: () => void }) => void): unknown;
  setWindowOpenHandler(handler: (details: { url: string }) => { action: 'deny' }): void;
}

interface NavigationDetails {
  url: string;
  isMainFrame: boolean;
  preventDefault: () => void;
}

export function guardNavigation(contents: Guarded, openInBrowser: (address: string) => void): void {
  const keepHere = (details: NavigationDetails): void => {
    const destination = destinationOf(details.url);
    if (destination === 'here' && details.isMainFrame) return;
    details.preventDefault();
    if (destination === 'browser' && details.isMainFrame) openInBrowser(details.url);
  };
  contents.on('will-frame-navigate', keepHere);
  contents.on('will-redirect', keepHere);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (destinationOf(url) === 'browser') openInBrowser(url);
    return { action: 'deny' };
  });
}
