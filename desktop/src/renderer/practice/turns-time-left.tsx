/** Warns before a plan's minutes are used up in a conversation turn by turn. */
import { Banner } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../app/host-context.tsx';
import { QuotaOut } from '../app/quota-out.tsx';
import { timeLeft } from './time-left.ts';

/** Minutes are counted one by one while a live conversation goes on. */
const ASK_AGAIN_MS = 30_000;

/** `isTold`: what waits to be sent says already that there is no time left. */
export function TurnsTimeLeft({ isTold }: { isTold: boolean }): ReactElement | null {
  const { queries } = useHost();
  const state = useQuery(queries.account.state.queryOptions({ refetchInterval: ASK_AGAIN_MS })).data;
  const leftS = state?.known?.account.live?.leftS ?? null;
  const { text, isUrgent } = timeLeft(leftS);
  if (leftS === 0) return isTold ? null : <QuotaOut />;
  return isUrgent ? <Banner tone="warn">{text}</Banner> : null;
}
