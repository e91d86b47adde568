/** Says that the local database was damaged or missing, what replaced it and where the damaged file is kept. */
import { t } from '@parley/i18n';
import { Trans } from '@lingui/react';
import type { RestoreNotice } from '@parley/contract';
import { Banner, Button } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { formatDateTime } from '../foundation/sentences/format-date.ts';
import css from './help.module.css';

export function RestoredBanner(): ReactElement | null {
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const about = useQuery(queries.app.about.queryOptions()).data;
  const dismiss = useMutation({
    mutationFn: () => client.app.dismissRestoreNotice(),
    onSuccess: () => cache.invalidateQueries({ queryKey: queries.app.about.queryKey() }),
  });
  const notice = about?.restoreNotice ?? null;
  if (about === undefined || notice === null) return null;
  return (
    <div className={css['notices']}>
      <Banner
        tone="warn"
        action={
          <Button onPress={() => dismiss.mutate()} isDisabled={dismiss.isPending}>
            {t('Close')}
          </Button>
        }
      >
        <p>{whatHappened(notice)}</p>
        {notice.takenAt === null && about.serverAddress !== null && (
          <p>{t('Everything that’s on your server will come back when Parley syncs.')}</p>
        )}
        {notice.damagedFolder !== null && (
          <p>
            <Trans
              id="The damaged file is kept in <0>{folder}</0>."
              values={{ folder: notice.damagedFolder }}
              components={{ 0: <bdi /> }}
            />
          </p>
        )}
      </Banner>
    </div>
  );
}

function whatHappened({ takenAt, damagedFolder }: RestoreNotice): string {
  if (takenAt === null)
    return damagedFolder === null
      ? t('The local database was missing and there was no good backup, so Parley started with an empty one.')
      : t(
          'The local database was damaged and there was no good backup, so Parley started with an empty one. Unsent changes that could still be read were added.',
        );
  const restoredFrom = formatDateTime(takenAt.toISOString());
  return damagedFolder === null
    ? t('The local database was missing. Parley restored the backup from {restoredFrom}.', { restoredFrom })
    : t(
        'The local database was damaged. Parley restored the backup from {restoredFrom} and added unsent changes that could still be read.',
        { restoredFrom },
      );
}
