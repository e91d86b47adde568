/** Ends a fake connection early. */
import type { WebSocket } from 'ws';
import type { CallScript } from './script.ts';

export function dropConnection(socket: WebSocket, { isCutPolite, closesWith }: CallScript): void {
  if (closesWith !== undefined) socket.close(closesWith.code, closesWith.reason);
  else if (isCutPolite === true) socket.close(1000);
  else socket.terminate();
}
