/** Renders the app. It is loaded after the language, because its texts are translated when its modules load. */
import { I18nProvider } from '@lingui/react';
import { formatLocale, i18n } from '@parley/i18n';
import { LocaleProvider } from '@parley/ui';
import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactElement, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { HostConnection } from './foundation/host/host-connection.ts';
import { HostStoppedNotice } from './frame/frame.tsx';
import { HostProvider } from './foundation/host/host-context.tsx';
import { SpeakerProvider } from './audio/index.ts';
import { preloadScreens } from './frame/preload-screens.ts';
import { router } from './frame/router.tsx';

// A control learns that its mutation is pending before the next event, so a second press cannot send anything twice.
notifyManager.setScheduler(queueMicrotask);

// The host runs on this computer and reports every change, so queries never go stale and failures show at once.
const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: Infinity, retry: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

function App({ connection }: { connection: HostConnection }): ReactElement {
  const [hasHostStopped, setHostStopped] = useState(false);
  useEffect(() => {
    void connection.closed.then(() => setHostStopped(true));
  }, [connection]);
  useEffect(preloadScreens, []);
  return (
    <I18nProvider i18n={i18n}>
      <LocaleProvider locale={formatLocale()}>
        <QueryClientProvider client={queryClient}>
          <HostProvider client={connection.client}>
            {/* A screen that is gone has released the microphone and takes no focus. */}
            {hasHostStopped ? (
              <HostStoppedNotice />
            ) : (
              <SpeakerProvider>
                <RouterProvider router={router} />
              </SpeakerProvider>
            )}
          </HostProvider>
        </QueryClientProvider>
      </LocaleProvider>
    </I18nProvider>
  );
}

/** `onCaughtError` receives errors that made a screen fail, which the frame shows. */
export function renderApp(
  root: HTMLElement,
  connection: HostConnection,
  onCaughtError: (error: unknown) => void,
): void {
  createRoot(root, { onCaughtError }).render(
    <StrictMode>
      <App connection={connection} />
    </StrictMode>,
  );
}
