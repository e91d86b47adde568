/** The minutes of the plan are used up: when they begin anew, and where there are more. */
import { Banner, Button } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { sentenceOf } from '../app/error-sentence.ts';
import { useHost } from '../app/host-context.tsx';
import { whenOf } from '../app/when.ts';

export function QuotaOut(): ReactElement {
  const { queries } = useHost();
  const navigate = useNavigate();
  // Wherever minutes are shown they are what they are now: none.
  const state = useQuery(queries.account.state.queryOptions({ refetchOnMount: 'always' }));
  const resetsAt = state.data?.known?.account.resetsAt ?? null;
  return (
    <Banner tone="warn" action={<Button onPress={() => void navigate({ to: '/plan' })}>See your plan</Button>}>
      {sentenceOf('quota.out')}
      {resetsAt !== null && ` Your minutes begin anew on ${whenOf(resetsAt)}.`}
    </Banner>
  );
}
