/**
 * Runs in the browser window before the renderer. Connects the host's WebSocket to a MessageChannel and gives the
 * renderer one port, as Electron's preload does. The renderer requests it with `parley:ready`.
 */
const address = new URL('host', location.href.replace(/^http/, 'ws'));

window.addEventListener('message', (event) => {
  if (event.source !== window || (event.data as { type?: unknown } | null)?.type !== 'parley:ready') return;
  const { port1: ours, port2: theirs } = new MessageChannel();
  const socket = new WebSocket(address);
  socket.binaryType = 'arraybuffer';
  const early: (string | ArrayBuffer)[] = [];
  ours.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (socket.readyState === WebSocket.CONNECTING) early.push(data);
    else if (socket.readyState === WebSocket.OPEN) socket.send(data);
  };
  socket.onopen = () => {
    for (const message of early.splice(0)) socket.send(message);
  };
  socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => ours.postMessage(data);
  socket.onclose = () => {
    ours.close();
    window.postMessage({ type: 'parley:closed' }, location.origin);
  };
  window.postMessage({ type: 'parley:port' }, location.origin, [theirs]);
});
