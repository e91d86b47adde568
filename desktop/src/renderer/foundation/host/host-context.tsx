/** Gives every component access to the host client and its queries. */
import { createContext, type ReactElement, type ReactNode, useContext, useMemo } from 'react';
import { createQueries, type HostClient, type HostQueries } from './host-connection.ts';

interface HostContextValue {
  client: HostClient;
  queries: HostQueries;
}

const HostContext = createContext<HostContextValue | null>(null);

export function HostProvider({ client, children }: { client: HostClient; children: ReactNode }): ReactElement {
  const value = useMemo(() => ({ client, queries: createQueries(client) }), [client]);
  return <HostContext value={value}>{children}</HostContext>;
}

export function useHost(): HostContextValue {
  const value = useContext(HostContext);
  if (value === null) throw new Error('useHost must be used inside a HostProvider.');
  return value;
}
