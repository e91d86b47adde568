/** What is left of a plan that is counted, where it can always be seen. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import css from './frame.module.css';
import { useHost } from './host-context.tsx';

const ASK_AGAIN_MS = 120_000;

export function MinutesLeft(): ReactElement | null {
  const { queries } = useHost();
  const state = useQuery(queries.account.state.queryOptions({ refetchInterval: ASK_AGAIN_MS })).data;
  const account = state?.known?.account ?? null;
  // Who is not let in yet has none, whatever their plan would give.
  if (account === null || account.live === null || (account.mustBeGranted && !account.hasAccess)) return null;
  const minutes = Math.floor(account.live.leftS / 60);
  return (
    <Link to="/plan" className={css['minutes']}>
      {minutes === 1 ? '1 live minute left' : `${minutes} live minutes left`}
    </Link>
  );
}
