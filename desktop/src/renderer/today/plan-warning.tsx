/** Warns of a failed payment while it can still be fixed. */
import { t } from '@parley/i18n';
import { describePlan } from '@parley/contract';
import { Banner, Button } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { formatDate } from '../foundation/sentences/format-date.ts';

export function PlanWarning(): ReactElement | null {
  const { queries } = useHost();
  const navigate = useNavigate();
  const state = useQuery(queries.account.state.queryOptions()).data;
  if (state === undefined || state.known === null || state.isSignedOut) return null;
  const { warning } = describePlan(state.known.account, { t, formatDay: formatDate });
  if (warning === null) return null;
  return (
    <Banner tone="warn" action={<Button onPress={() => void navigate({ to: '/plan' })}>{t('See your plan')}</Button>}>
      {warning}
    </Banner>
  );
}
