/** Says on every screen that the learner has signed in, but that their work is not in the account yet. */
import { t } from '@parley/i18n';
import { Banner } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import css from './help.module.css';
import { SyncAgainButton } from './sync-again-button.tsx';

export function NotMovedBanner(): ReactElement | null {
  const { queries } = useHost();
  const status = useQuery(queries.sync.status.queryOptions()).data;
  if (status?.state !== 'not_moved') return null;
  return (
    <div className={css['notices']}>
      <Banner tone="warn" action={<SyncAgainButton />}>
        {status.isMoveOffline
          ? t(
              'You’re signed in, but your work isn’t in your account yet. It stays on this computer as it was, and Parley will move it as soon as it reaches the server.',
            )
          : t(
              'You’re signed in, but Parley couldn’t move your work to your account. It stays on this computer as it was, and Parley will try again. If the disk is full, free some space.',
            )}
      </Banner>
    </div>
  );
}
