export { type BrowserShell, type BrowserShellOptions, startBrowserShell } from './browser-shell.ts';
export { findBrowser } from './find-browser.ts';
export { startWindowServer, type WindowServer } from './window-server.ts';
export { StartError, toStartError } from '../start-failure-messages.ts';
