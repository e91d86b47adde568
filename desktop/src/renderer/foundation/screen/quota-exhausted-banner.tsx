/** Says that the plan's minutes are used up, when they reset, and where to get more. */
import { t } from '@parley/i18n';
import { joinSentences } from '@parley/domain';
import { Banner, Button } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { sentenceForCode } from '../sentences/error-sentence.ts';
import { useHost } from '../host/host-context.tsx';
import { formatDateTime } from '../sentences/format-date.ts';

/** For practices that have not started, and for calls, whose words are kept anyway. */
export const MINUTES_USED_UP_TEXT = {
  live: t('Your live minutes are used up. You can still write with a coach: that uses no minutes.'),
  call: t('Your minutes for calls are used up. You can still take turns.'),
} as const;

/** A plan’s minutes for calls are a part of its live minutes, so they usually run out first. */
export const callQuotaSentence = (liveLeftS: number | null): string =>
  liveLeftS === null || liveLeftS > 0 ? MINUTES_USED_UP_TEXT.call : MINUTES_USED_UP_TEXT.live;

/** Says the same after a call. */
export function CallQuotaExhaustedBanner(): ReactElement {
  const { queries } = useHost();
  const state = useQuery(queries.account.state.queryOptions());
  return <QuotaExhaustedBanner sentence={callQuotaSentence(state.data?.known?.account.live?.leftS ?? null)} />;
}

/** `sentence` replaces the default text where no session has started yet. */
export function QuotaExhaustedBanner({ sentence = sentenceForCode('quota.out') }: { sentence?: string }): ReactElement {
  const { queries } = useHost();
  const navigate = useNavigate();
  // Refetches the account, because minutes shown elsewhere may be older than this refusal.
  const state = useQuery(queries.account.state.queryOptions({ refetchOnMount: 'always' }));
  const resetsAt = state.data?.known?.account.resetsAt ?? null;
  return (
    <Banner tone="warn" action={<Button onPress={() => void navigate({ to: '/plan' })}>{t('See your plan')}</Button>}>
      {resetsAt === null
        ? sentence
        : joinSentences(t, [sentence, t('Your minutes renew on {resetsAt}.', { resetsAt: formatDateTime(resetsAt) })])}
    </Banner>
  );
}
