/** Says that the data of another server could not be opened, so that the app is where it was. */
import { t } from '@parley/i18n';
import type { SwitchFailure } from '@parley/contract';
import { Banner, Button } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import css from './server-choice.module.css';

const SENTENCE: Record<SwitchFailure, string> = {
  newer: t('A newer version of Parley has used the data that you chose. Update Parley to open it.'),
  other: t('The data that you chose couldn’t be opened, so Parley went back. Nothing has been deleted.'),
};

export function SwitchFailedBanner(): ReactElement | null {
  const { queries } = useHost();
  const failure = useQuery(queries.app.about.queryOptions()).data?.switchFailure ?? null;
  const [hasSeen, setSeen] = useState(false);
  if (failure === null || hasSeen) return null;
  return (
    <div className={css['notice']}>
      <Banner tone="warn" action={<Button onPress={() => setSeen(true)}>{t('Close')}</Button>}>
        {SENTENCE[failure]}
      </Banner>
    </div>
  );
}
