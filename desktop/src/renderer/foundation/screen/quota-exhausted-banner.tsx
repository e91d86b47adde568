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
