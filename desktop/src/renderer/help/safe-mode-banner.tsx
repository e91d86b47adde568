/** Shows on every screen that safe mode is on, and once the outcome of a repair. */
import { t } from '@parley/i18n';
import type { RepairOutcome } from '@parley/contract';
import { Banner, Button } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import css from './help.module.css';

/** `RestoredBanner` reports what a backup replaced; it stays until it is dismissed. */
const OUTCOME_SENTENCE: Record<Exclude<RepairOutcome, 'restored'>, string> = {
  sound: t('The database was checked: nothing is damaged.'),
  reindexed: t('The database was repaired. Its indexes were rebuilt, and nothing is lost.'),
};

export function SafeModeBanner(): ReactElement | null {
  const { client, queries } = useHost();
  const about = useQuery(queries.app.about.queryOptions()).data;
  const [hasSeenOutcome, setSeenOutcome] = useState(false);
  const leave = useMutation({ mutationFn: () => client.support.setSafeMode({ isOn: false }) });
  if (about === undefined) return null;
  const { isSafeMode } = about;
  const repaired = about.repaired === 'restored' ? null : about.repaired;
  if (!isSafeMode && (repaired === null || hasSeenOutcome)) return null;
  return (
    <div className={css['notices']}>
      {isSafeMode && (
        <Banner
          tone="warn"
          action={
            <Button onPress={() => leave.mutate()} isDisabled={leave.isPending}>
              {t('Leave safe mode')}
            </Button>
          }
        >
          {t('Safe mode is on: no server, no language model, nothing in the background.')}
        </Banner>
      )}
      {repaired !== null && !hasSeenOutcome && (
        <Banner action={<Button onPress={() => setSeenOutcome(true)}>{t('Close')}</Button>}>
          {OUTCOME_SENTENCE[repaired]}
        </Banner>
      )}
    </div>
  );
}
