/** Shows the remaining minutes of a metered plan in the sidebar. */
import { t } from '@parley/i18n';
import { Icon } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import css from './frame.module.css';
import { useHost } from '../foundation/host/host-context.tsx';

const REFETCH_INTERVAL_MS = 120_000;

export function RemainingMinutes(): ReactElement | null {
  const { queries } = useHost();
  const state = useQuery(queries.account.state.queryOptions({ refetchInterval: REFETCH_INTERVAL_MS })).data;
  const allowance = state?.known?.account.live ?? null;
  // A learner without access or an account has no minutes, whatever the plan includes.
  if (allowance === null || state?.liveAccess !== 'granted') return null;
  const minutes = Math.floor(allowance.leftS / 60);
  const label = t('{minutes, plural, one {# live minute left} other {# live minutes left}}', { minutes });
  return (
    <Link to="/plan" className={css['minutes']} aria-label={label} title={label}>
      <span>{label}</span>
      <span className={css['minutesOnly']}>
        <Icon name="clock" />
        {minutes}
      </span>
    </Link>
  );
}
