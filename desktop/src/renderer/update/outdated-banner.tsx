/** Says on every screen that the server needs a newer version of Parley, and leads to what to do about it. */
import { t } from '@parley/i18n';
import { Banner, Button } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useMatchRoute, useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import css from './update.module.css';
import { useIsOutdated } from './use-is-outdated.ts';

export function OutdatedBanner(): ReactElement | null {
  const { queries } = useHost();
  const navigate = useNavigate();
  const matches = useMatchRoute();
  const isOutdated = useIsOutdated(useQuery(queries.sync.status.queryOptions()).data?.state);
  // A session is not interrupted, because nothing in it depends on the update.
  const isElsewhere = matches({ to: '/session/$sessionId' }) === false && matches({ to: '/update' }) === false;
  if (!isOutdated || !isElsewhere) return null;
  return (
    <div className={css['notice']}>
      <Banner
        tone="warn"
        action={<Button onPress={() => void navigate({ to: '/update' })}>{t('See what to do')}</Button>}
      >
        {t('Your server needs a newer version of Parley. You can go on practising; your work syncs after the update.')}
      </Banner>
    </div>
  );
}
