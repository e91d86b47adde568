/** The minutes of the plan are used up: when they begin anew, and where there are more. */
import { Banner, Button } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { sentenceOf } from './error-sentence.ts';
import { useHost } from './host-context.tsx';
import { whenOf } from './when.ts';

/** `sentence`: what that means where nothing has begun yet. */
export function QuotaOut({ sentence = sentenceOf('quota.out') }: { sentence?: string }): ReactElement {
  const { queries } = useHost();
  const navigate = useNavigate();
  // Wherever minutes are shown they are what they are now: none.
  const state = useQuery(queries.account.state.queryOptions({ refetchOnMount: 'always' }));
  const resetsAt = state.data?.known?.account.resetsAt ?? null;
  return (
    <Banner tone="warn" action={<Button onPress={() => void navigate({ to: '/plan' })}>See your plan</Button>}>
      {sentence}
      {resetsAt !== null && ` Your minutes begin anew on ${whenOf(resetsAt)}.`}
    </Banner>
  );
}
