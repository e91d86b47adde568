/** How a connection ends before its time. */
import type { WebSocket } from 'ws';
import type { TwinCallScript } from './script.ts';

export function cut(socket: WebSocket, { isCutPolite }: TwinCallScript): void {
  if (isCutPolite === true) socket.close(1000);
  else socket.terminate();
}
