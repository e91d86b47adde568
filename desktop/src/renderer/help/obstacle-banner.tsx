/** Says on every screen why the server cannot be used although something answers at its address. */
import type { ConnectionObstacle } from '@parley/contract';
import { joinSentences } from '@parley/domain';
import { t } from '@parley/i18n';
import { Banner } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { formatDate } from '../foundation/sentences/format-date.ts';
import css from './help.module.css';
import { SyncAgainButton } from './sync-again-button.tsx';

export function ObstacleBanner(): ReactElement | null {
  const { queries } = useHost();
  const obstacle = useQuery(queries.sync.status.queryOptions()).data?.obstacle ?? null;
  if (obstacle === null) return null;
  return (
    <div className={css['notices']}>
      <Banner tone="warn" action={<SyncAgainButton />}>
        {joinSentences(t, [...obstacleSentences(obstacle), t('Your work is safe on this computer.')])}
      </Banner>
    </div>
  );
}

function obstacleSentences(obstacle: ConnectionObstacle): string[] {
  const today = formatDate(new Date().toISOString());
  switch (obstacle) {
    case 'certificate_expired':
      return [
        t(
          'Your server’s certificate has expired, unless this computer’s date, {today}, is wrong. If the date is right, tell your school.',
          { today },
        ),
      ];
    case 'certificate_not_yet_valid':
      return [
        t(
          'Your server’s certificate isn’t valid yet on this computer’s date, {today}. If the date is right, tell your school.',
          { today },
        ),
      ];
    case 'certificate_other_name':
      return [
        t('Something else answers at your server’s address: its certificate is for another name.'),
        networkAdvice(),
      ];
    case 'certificate_not_trusted':
      return [t('This computer doesn’t trust the certificate at your server’s address.'), networkAdvice()];
    case 'network_page':
      return [t('A web page answers at your server’s address instead of your server.'), networkAdvice()];
  }
}

const networkAdvice = (): string => t('If this network has a sign-in page, sign in there; if not, tell your school.');
