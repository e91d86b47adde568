/**
 * Runs in an isolated context before the renderer and gives it its port to the host, which the renderer requests with
 * `parley:ready`. Apart from that, it only tells the renderer that the host has stopped or that the computer is about
 * to sleep.
 */
import { ipcRenderer } from 'electron';

const target = location.origin === 'null' ? '*' : location.origin;

window.addEventListener('message', (event) => {
  if (event.source !== window || (event.data as { type?: unknown } | null)?.type !== 'parley:ready') return;
  ipcRenderer.send('parley:ready');
});

ipcRenderer.on('parley:port', (event) => window.postMessage({ type: 'parley:port' }, target, event.ports));
ipcRenderer.on('parley:closed', () => window.postMessage({ type: 'parley:closed' }, target));
ipcRenderer.on('parley:sleep', () => window.postMessage({ type: 'parley:sleep' }, target));
