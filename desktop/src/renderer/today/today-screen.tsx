/** The start screen. Its frame is shown at once; the code of what it contains arrives in parallel with its data. */
import { t } from '@parley/i18n';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactElement, Suspense, useEffect } from 'react';
import { useNow } from '../foundation/day/new-day.ts';
import { useHost } from '../foundation/host/host-context.tsx';
import { Loading, QueryView, Screen } from '../foundation/screen/screen.tsx';
import { greeting } from './greeting.ts';

const loadContent = async (): Promise<{ default: typeof import('./today-content.tsx').TodayContent }> => ({
  default: (await import('./today-content.tsx')).TodayContent,
});
const TodayContent = lazy(loadContent);

export function TodayScreen(): ReactElement {
  const { queries } = useHost();
  const today = useQuery(queries.today.overview.queryOptions());
  // The code is requested in parallel with the data, not after it.
  useEffect(() => void loadContent(), []);
  const now = useNow();
  const firstName = useQuery(queries.settings.read.queryOptions()).data?.profile.firstName ?? null;
  return (
    <Screen title={t('Today')} intro={greeting(now, firstName)}>
      <Suspense fallback={<Loading label={t('Loading today')} comesFrom="computer" />}>
        <QueryView query={today} loadingLabel={t('Loading today')}>
          {(view) => <TodayContent view={view} />}
        </QueryView>
      </Suspense>
    </Screen>
  );
}
