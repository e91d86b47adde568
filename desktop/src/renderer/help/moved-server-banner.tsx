/** Says on every screen that the server's address leads to another server, which the app does not follow by itself. */
import { t } from '@parley/i18n';
import { Banner } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { SettingsButton } from '../foundation/screen/settings-button.tsx';
import css from './help.module.css';

export function MovedServerBanner(): ReactElement | null {
  const { queries } = useHost();
  const address = useQuery(queries.sync.status.queryOptions()).data?.leadsTo ?? null;
  if (address === null) return null;
  return (
    <div className={css['notices']}>
      <Banner tone="warn" action={<SettingsButton part="server">{t('Choose a server')}</SettingsButton>}>
        {t(
          'Your server’s address now leads to {address}. If your school says that the server has moved there, choose that address. Your work is safe on this computer.',
          { address },
        )}
      </Banner>
    </div>
  );
}
