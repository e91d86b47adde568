/** The browser shell as `npm start` runs it, in a process of its own: says where its window is, and stops with SIGTERM. */
import { startBrowserShell } from '../../../../desktop/src/shell/browser/index.ts';

const dataDir = process.env['PARLEY_DATA_DIR'] ?? '';
const shell = await startBrowserShell({
  dataDir,
  // The page itself is not asked for.
  rendererDir: dataDir,
  serverUrl: null,
  open: process.env['ATTACK_OPENS_WINDOW'] === '1',
  say: () => undefined,
});
if (shell === null) throw new Error('another shell runs in this folder');
process.on('SIGTERM', () => void shell.close().then(() => process.exit(0)));
process.send?.({ type: 'ready', origin: shell.origin, address: shell.createAddress() });
