/** What is left of a plan that is counted, where it can always be seen. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import css from './frame.module.css';
import { useHost } from './host-context.tsx';
import { countOf } from './when.ts';

const ASK_AGAIN_MS = 120_000;

export function MinutesLeft(): ReactElement | null {
  const { queries } = useHost();
  const state = useQuery(queries.account.state.queryOptions({ refetchInterval: ASK_AGAIN_MS })).data;
  const live = state?.known?.account.live ?? null;
  // Who is not let in, or not signed in, has none, whatever their plan would give.
  if (live === null || state?.liveAccess !== 'granted') return null;
  const minutes = countOf(live.leftS);
  return (
    <Link to="/plan" className={css['minutes']}>
      {minutes === '1' ? '1 live minute left' : `${minutes} live minutes left`}
    </Link>
  );
}
