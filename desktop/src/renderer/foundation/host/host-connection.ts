/** Connects to the host over the MessagePort that the window's shell hands over. */
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { createTanstackQueryUtils, type RouterUtils } from '@orpc/tanstack-query';
import type { desktopContract } from '@parley/contract';
import { isShellMessage } from './shell-message.ts';

export type HostClient = ContractRouterClient<typeof desktopContract>;

export interface HostConnection {
  client: HostClient;
  /** Resolves when the host has stopped. */
  closed: Promise<void>;
}

export function connectToHost(): Promise<HostConnection> {
  return new Promise((resolve) => {
    const closed = new Promise<void>((close) => {
      window.addEventListener('message', (event) => {
        if (isShellMessage(event, 'parley:closed')) close();
      });
    });
    window.addEventListener('message', function receive(event) {
      const [port] = event.ports;
      if (!isShellMessage(event, 'parley:port') || port === undefined) return;
      window.removeEventListener('message', receive);
      port.start();
      resolve({ client: createORPCClient(new RPCLink({ port })), closed });
    });
    window.postMessage({ type: 'parley:ready' }, location.origin === 'null' ? '*' : location.origin);
  });
}

export type HostQueries = RouterUtils<HostClient>;
export const createQueries = (client: HostClient): HostQueries => createTanstackQueryUtils(client);
