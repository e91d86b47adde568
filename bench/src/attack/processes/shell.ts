/** Runs the browser shell as `npm start` does, reports its address to the parent process, and stops on SIGTERM. */
import { startBrowserShell } from '../../../../desktop/src/shell/browser/index.ts';

const dataDir = process.env['PARLEY_DATA_DIR'] ?? '';
const shell = await startBrowserShell({
  dataDir,
  // No test requests the page itself.
  rendererDir: dataDir,
  serverUrl: null,
  open: process.env['ATTACK_OPENS_WINDOW'] === '1',
  print: () => undefined,
});
if (shell === null) throw new Error('another shell runs in this folder');
process.on('SIGTERM', () => void shell.close().then(() => process.exit(0)));
process.send?.({ type: 'ready', origin: shell.origin, address: shell.createAddress() });
