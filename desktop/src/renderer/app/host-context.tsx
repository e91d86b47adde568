/** The host, for every component that asks something of it. */
import { createContext, type ReactElement, type ReactNode, useContext, useMemo } from 'react';
import { createQueries, type HostClient, type HostQueries } from './connection.ts';

interface HostValue {
  client: HostClient;
  queries: HostQueries;
}

const HostContext = createContext<HostValue | null>(null);

export function HostProvider({ client, children }: { client: HostClient; children: ReactNode }): ReactElement {
  const value = useMemo(() => ({ client, queries: createQueries(client) }), [client]);
  return <HostContext value={value}>{children}</HostContext>;
}

export function useHost(): HostValue {
  const value = useContext(HostContext);
  if (value === null) throw new Error('no host above this component');
  return value;
}
