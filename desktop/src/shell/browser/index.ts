export { type BrowserShell, type BrowserShellOptions, startBrowserShell } from './browser-shell.ts';
export { findBrowser, hasDisplay } from './find-browser.ts';
export { startWindowServer, type WindowServer } from './window-server.ts';
