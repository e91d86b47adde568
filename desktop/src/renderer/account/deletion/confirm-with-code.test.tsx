import { I18nProvider } from '@lingui/react';
import { i18n } from '@parley/i18n';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { HostClient } from '../../foundation/host/host-connection.ts';
import { HostProvider } from '../../foundation/host/host-context.tsx';
import { ConfirmWithCode } from './confirm-with-code.tsx';
import type { ConfirmedRequest } from './use-confirmed-request.ts';

const nothing = (): void => undefined;

const shown = (isMailWritten: boolean): string =>
  renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={new QueryClient()}>
        <HostProvider client={{} as HostClient}>
          <ConfirmWithCode
            intro={<>We’ve sent a code to ana@example.com.</>}
            action="Delete in 30 days"
            requestCode={{ data: { isMailWritten } } as ConfirmedRequest<unknown>['requestCode']}
            onConfirmed={nothing}
            onClose={nothing}
          />
        </HostProvider>
      </QueryClientProvider>
    </I18nProvider>,
  );

it('does not say that a code was sent by a server that only writes its e-mails to files', () => {
  expect(shown(false)).toContain('We’ve sent a code');
  expect(shown(true)).toContain('The message with your code is a file on the server');
  expect(shown(true)).not.toContain('We’ve sent a code');
});
