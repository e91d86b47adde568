/** Explains, before sign-in, what happens to the work on this computer when another account is used. */
import { t } from '@parley/i18n';
import { Trans } from '@lingui/react';
import type { AccountState } from '@parley/contract';
import { Address, MutedText } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';

/** The e-mail address of the account that owns the work on this computer, or null. */
export const toAccountEmail = (known: AccountState['known']): string | null => known?.account.email ?? null;

/** `to`: the address to sign in with; null while it is not known. */
export function MergePreview({ accountEmail, to }: { accountEmail: string | null; to: string | null }): ReactElement {
  const { queries } = useHost();
  // The number of unsent changes is not reported while the device is signed out.
  const status = useQuery(queries.sync.status.queryOptions({ staleTime: 0 })).data;
  if (accountEmail === null)
    return (
      <MutedText small>
        {t(
          'What you did here without an account moves into it, and shows on your other computers. Your recordings stay on this one.',
        )}
      </MutedText>
    );
  if (accountEmail === to) return <MutedText small>{t('What you did here is already in this account.')}</MutedText>;
  // A signed-in device sends its changes before it switches accounts.
  const hasUnsentChanges = status?.state === 'signed_out' && status.waiting > 0;
  return (
    <>
      <MutedText small>
        <Trans
          id="What <0>{held}</0> did here stays in that account. To see it again, sign in with that address."
          values={{ held: accountEmail }}
          components={{ 0: <Address /> }}
        />
      </MutedText>
      {hasUnsentChanges && (
        <MutedText small>
          {t(
            'Some of it hasn’t been sent yet. It stays on this computer, and is sent when you sign in with that address again.',
          )}
        </MutedText>
      )}
    </>
  );
}
