/** Warns before a plan's minutes are used up in a conversation turn by turn. */
import { Banner } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../app/host-context.tsx';
import { timeLeft } from './time-left.ts';

/** Minutes are counted one by one while a live conversation goes on. */
const ASK_AGAIN_MS = 30_000;

export function TurnsTimeLeft(): ReactElement | null {
  const { queries } = useHost();
  const state = useQuery(queries.account.state.queryOptions({ refetchInterval: ASK_AGAIN_MS })).data;
  const { text, isUrgent } = timeLeft(state?.known?.account.live?.leftS ?? null);
  return isUrgent ? <Banner tone="warn">{text}</Banner> : null;
}
