/** The one line to the host: a MessagePort that the window's shell hands over, whatever the shell is. */
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import type { desktopContract } from '@parley/contract';

export type HostClient = ContractRouterClient<typeof desktopContract>;

export interface Connection {
  client: HostClient;
  /** Resolves when the host is gone. */
  closed: Promise<void>;
}

const isMessage = (event: MessageEvent<unknown>, type: string): boolean =>
  event.source === window && (event.data as { type?: unknown } | null)?.type === type;

export function connectToHost(): Promise<Connection> {
  return new Promise((resolve) => {
    const closed = new Promise<void>((close) => {
      window.addEventListener('message', (event) => {
        if (isMessage(event, 'parley:closed')) close();
      });
    });
    window.addEventListener('message', function receive(event) {
      const [port] = event.ports;
      if (!isMessage(event, 'parley:port') || port === undefined) return;
      window.removeEventListener('message', receive);
      port.start();
      resolve({ client: createORPCClient(new RPCLink({ port })), closed });
    });
    window.postMessage({ type: 'parley:ready' }, location.origin === 'null' ? '*' : location.origin);
  });
}

export const createQueries = (client: HostClient) => createTanstackQueryUtils(client);
export type HostQueries = ReturnType<typeof createQueries>;
