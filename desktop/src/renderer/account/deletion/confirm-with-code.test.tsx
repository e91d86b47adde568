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

const shown = (requestCode: Partial<ConfirmedRequest<unknown>['requestCode']>): string =>
  renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={new QueryClient()}>
        <HostProvider client={{} as HostClient}>
          <ConfirmWithCode
            intro={<>We’re sending a code to ana@example.com.</>}
            action="Delete in 30 days"
            cancel="Keep it"
            requestCode={requestCode as ConfirmedRequest<unknown>['requestCode']}
            onConfirmed={nothing}
            onClose={nothing}
          />
        </HostProvider>
      </QueryClientProvider>
    </I18nProvider>,
  );

it('does not say that a server that only writes its e-mails to files sends a code', () => {
  expect(shown({ data: { isMailWritten: false } })).toContain('We’re sending a code');
  expect(shown({ data: { isMailWritten: true } })).toContain('The message with your code is a file on the server');
  expect(shown({ data: { isMailWritten: true } })).not.toContain('We’re sending a code');
});

it('offers to send the code again when the learner says that none arrived', () => {
  const html = shown({ data: { isMailWritten: false } });
  expect(html).toContain('I haven’t received it');
  expect(html).toContain('>Keep it<');
  expect(html).toMatch(/<div hidden="">.*Send it again/);
});

it('offers to send the code again at once when the request failed, and does not say that it is being sent', () => {
  const html = shown({ isError: true });
  expect(html).toContain('>Send it again<');
  expect(html).not.toContain('hidden=""');
  expect(html).not.toContain('I haven’t received it');
  expect(html).not.toContain('We’re sending a code');
});
