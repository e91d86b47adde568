/** The admin's own authenticator app: set up, confirmed, removed. */
import { t } from '@parley/i18n';
import { Button } from '@parley/ui';
import { type ReactElement, useState } from 'react';
import { client } from '../foundation/api/client.ts';
import { ActionDialog } from '../foundation/dialogs/action-dialog.tsx';
import { SetUpSecondFactor } from '../foundation/dialogs/second-factor-forms.tsx';
import { useQueryClient } from '@tanstack/react-query';
import table from '../foundation/screen/table.module.css';

export function SecondFactorSection({ hasSecondFactor }: { hasSecondFactor: boolean }): ReactElement {
  const [open, setOpen] = useState<'set_up' | 'remove' | null>(null);
  const queryClient = useQueryClient();
  return (
    <section className={table['section']}>
      <h2>{t('Your authenticator app')}</h2>
      <p>
        {hasSecondFactor
          ? t(
              'Besides the code from your e-mail, this panel asks for a code from your authenticator app in each browser.',
            )
          : t('With an authenticator app on your phone, a stolen mailbox isn’t enough to open this panel.')}
      </p>
      {open === 'set_up' && (
        <SetUpSecondFactor
          onDone={() => {
            setOpen(null);
            void queryClient.invalidateQueries();
          }}
        />
      )}
      <div className={table['buttons']}>
        {!hasSecondFactor && open !== 'set_up' && (
          <Button onPress={() => setOpen('set_up')}>{t('Set up an authenticator app')}</Button>
        )}
        {hasSecondFactor && <Button onPress={() => setOpen('remove')}>{t('Remove the authenticator app')}</Button>}
      </div>
      {open === 'remove' && (
        <ActionDialog
          title={t('Remove the authenticator app?')}
          confirmLabel={t('Remove')}
          isDanger
          run={() => client.admin.removeSecondFactor({})}
          onClose={() => setOpen(null)}
        >
          <p>
            {t(
              'From then on, a code from your e-mail is enough to open this panel, unless the school requires an app.',
            )}
          </p>
        </ActionDialog>
      )}
    </section>
  );
}
