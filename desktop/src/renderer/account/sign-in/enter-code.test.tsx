import { I18nProvider } from '@lingui/react';
import { i18n } from '@parley/i18n';
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { HostClient } from '../../foundation/host/host-connection.ts';
import { HostProvider } from '../../foundation/host/host-context.tsx';
import type { CodeAttempts } from './code-attempts.ts';
import { EnterCode } from './enter-code.tsx';

const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
const nothing = (): void => undefined;

function shown(change: Partial<CodeAttempts>): string {
  const attempts = { sent: 1, lastSentAtMs: 0, wrongCodes: 0, isNetworkLimited: false, isMailWritten: true, ...change };
  return renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <RouterContextProvider router={router}>
        <QueryClientProvider client={new QueryClient()}>
          <HostProvider client={{} as HostClient}>
            <EnterCode
              email="ana@example.com"
              attempts={attempts}
              onSent={nothing}
              onWrongCode={nothing}
              onHasCode={nothing}
              onOtherAddress={nothing}
            />
          </HostProvider>
        </QueryClientProvider>
      </RouterContextProvider>
    </I18nProvider>,
  );
}

describe('the code of a server that only writes its e-mails to files', () => {
  it('is never said to have been sent', () => {
    expect(shown({ sent: 2 })).toContain('The code in the newest message is the one that works.');
    expect(shown({ sent: 2 })).not.toContain('We’re sending');
    expect(shown({ sent: 2, isMailWritten: false })).toContain('We’re sending a new e-mail.');
  });

  it('is replaced by a link in a file after five wrong codes', () => {
    const html = shown({ sent: 2, wrongCodes: 5 });
    expect(html).toContain('The message with your link is a file on the server');
    expect(html).not.toContain('Open the link in the newest e-mail');
    expect(html).not.toContain('The code in the newest message');
  });
});
