/** After a crash, asks whether a report may be sent, if the learner has chosen to be asked. */
import { t } from '@parley/i18n';
import { Banner, Button } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactElement, Suspense, useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import css from './help.module.css';

const CrashDialog = lazy(async () => ({ default: (await import('./crash-dialog.tsx')).CrashDialog }));

export function CrashBanner(): ReactElement | null {
  const { queries } = useHost();
  const [isOpen, setIsOpen] = useState(false);
  const [isPostponed, setPostponed] = useState(false);
  const offers = useQuery(queries.settings.read.queryOptions()).data?.device.offersCrashReports === true;
  const hasServer = typeof useQuery(queries.server.read.queryOptions()).data?.url === 'string';
  const crashes = useQuery(queries.support.crashes.queryOptions({ enabled: offers && hasServer })).data ?? [];
  if (isOpen)
    return (
      <Suspense>
        <CrashDialog
          onClose={() => {
            setIsOpen(false);
            setPostponed(true);
          }}
        />
      </Suspense>
    );
  if (!offers || !hasServer || crashes.length === 0 || isPostponed) return null;
  return (
    <div className={css['notices']}>
      <Banner
        action={
          <>
            <Button onPress={() => setIsOpen(true)}>{t('Read the report')}</Button>
            <Button variant="quiet" onPress={() => setPostponed(true)}>
              {t('Not now')}
            </Button>
          </>
        }
      >
        {t('Parley crashed. Nothing you saved is lost. May it send a report to your school’s server?')}
      </Banner>
    </div>
  );
}
