/** Warns before a plan's minutes run out in a turn-by-turn session. */
import { Banner } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import { QuotaExhaustedBanner } from '../../foundation/screen/quota-exhausted-banner.tsx';
import { describeUrgentTime } from './remaining-time.ts';

/** Usage is metered by the minute during a session with a model coach. */
const REFETCH_INTERVAL_MS = 30_000;

/** At zero, nothing is shown if the waiting turn already says that no minutes are left. */
export function RemainingMinutesWarning({ isTold: isShownElsewhere }: { isTold: boolean }): ReactElement | null {
  const { queries } = useHost();
  const state = useQuery(queries.account.state.queryOptions({ refetchInterval: REFETCH_INTERVAL_MS })).data;
  const leftS = state?.known?.account.live?.leftS ?? null;
  if (leftS === 0) return isShownElsewhere ? null : <QuotaExhaustedBanner />;
  const text = describeUrgentTime(leftS);
  return text === null ? null : <Banner tone="warn">{text}</Banner>;
}
