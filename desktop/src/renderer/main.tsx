/** Starts the renderer: connect to the host, then draw. */
import '@parley/ui/tokens.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactElement, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { type Connection, connectToHost } from './app/connection.ts';
import { HostGone } from './app/frame.tsx';
import { HostProvider } from './app/host-context.tsx';
import { SpeakerProvider } from './audio/index.ts';
import { router } from './app/router.tsx';

// The host is in this computer: answers are asked for again when it says that they changed, and failures shown at once.
const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: Infinity, retry: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

function App({ connection }: { connection: Connection }): ReactElement {
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    void connection.closed.then(() => setGone(true));
  }, [connection]);
  return (
    <QueryClientProvider client={queryClient}>
      <HostProvider client={connection.client}>
        <SpeakerProvider>
          <RouterProvider router={router} />
        </SpeakerProvider>
        {isGone && <HostGone />}
      </HostProvider>
    </QueryClientProvider>
  );
}

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
const connection = await connectToHost();
createRoot(root).render(
  <StrictMode>
    <App connection={connection} />
  </StrictMode>,
);
