/**
 * Runs in the window before the renderer, in a world of its own: hands the renderer its end of the channel to the host, and
 * nothing else. The renderer asks with `parley:ready`.
 */
import { ipcRenderer } from 'electron';

const target = location.origin === 'null' ? '*' : location.origin;

window.addEventListener('message', (event) => {
  if (event.source !== window || (event.data as { type?: unknown } | null)?.type !== 'parley:ready') return;
  ipcRenderer.send('parley:ready');
});

ipcRenderer.on('parley:port', (event) => window.postMessage({ type: 'parley:port' }, target, event.ports));
ipcRenderer.on('parley:closed', () => window.postMessage({ type: 'parley:closed' }, target));
