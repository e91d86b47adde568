/** Renders the panel. It is loaded after the language, because its texts are translated when its modules load. */
import { formatLocale, i18n } from '@parley/i18n';
import { LocaleProvider, MessagesProvider } from '@parley/ui';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './frame/router.tsx';

// A failed call is shown with a retry button; automatic retries would only delay the message. Calls also fail without a
// network: TanStack Query would otherwise queue them and send them when the admin no longer expects it.
const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

export function renderPanel(root: HTMLElement): void {
  createRoot(root).render(
    <StrictMode>
      <MessagesProvider i18n={i18n}>
        <LocaleProvider locale={formatLocale()}>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </LocaleProvider>
      </MessagesProvider>
    </StrictMode>,
  );
}
