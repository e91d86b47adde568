/** Syncs again when a learner asks for it. The banner with the button disappears as soon as that succeeds. */
import { t } from '@parley/i18n';
import { Button } from '@parley/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';

export function SyncAgainButton(): ReactElement {
  const { queries } = useHost();
  const cache = useQueryClient();
  const again = useMutation(
    queries.sync.run.mutationOptions({ onSuccess: (now) => cache.setQueryData(queries.sync.status.queryKey(), now) }),
  );
  return (
    <Button onPress={() => again.mutate()} isDisabled={again.isPending}>
      {t('Try again')}
    </Button>
  );
}
