/** Says that an account's data was deleted from this computer, as its owner requested on another one. */
import { t } from '@parley/i18n';
import { Banner, Button } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { formatDateTime } from '../foundation/sentences/format-date.ts';
import css from './help.module.css';

export function WipedBanner(): ReactElement | null {
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const wipedAt = useQuery(queries.app.about.queryOptions()).data?.wipedAt ?? null;
  const dismiss = useMutation({
    mutationFn: () => client.app.dismissWipeNotice(),
    onSuccess: () => cache.invalidateQueries({ queryKey: queries.app.about.queryKey() }),
  });
  if (wipedAt === null) return null;
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
        {t(
          'The data of the account that was signed in here was deleted from this computer on {wipedAt}. The account’s owner requested this on another computer.',
          { wipedAt: formatDateTime(wipedAt.toISOString()) },
        )}
      </Banner>
    </div>
  );
}
