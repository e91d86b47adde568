/** Lets a guided coach take over from a language model in mid-scene, or the other way round, if that is possible. */
import { t } from '@parley/i18n';
import type { SessionView } from '@parley/contract';
import { Button } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { findAvailableModes } from '../../foundation/available-modes.ts';
import { useHost } from '../../foundation/host/host-context.tsx';
import { ErrorBanner } from '../../foundation/screen/screen.tsx';

export function SwitchCoachButton(props: {
  session: SessionView;
  isDisabled?: boolean;
  onSession: (session: SessionView) => void;
}): ReactElement | null {
  const { session, isDisabled = false, onSession } = props;
  const { client, queries } = useHost();
  const { sessionId, communicationStyle: style } = session;
  const offer = useQuery(queries.coach.offer.queryOptions()).data;
  const state = useQuery(queries.account.state.queryOptions()).data;
  const to = session.coachKind === 'model' ? 'guided' : 'model';
  const isPossible = to === 'guided' ? session.hasScript : findAvailableModes({ offer, state, style }).live === 'open';
  const change = useMutation({
    mutationFn: () => client.practice.switchCoach({ sessionId, to }),
    onSuccess: onSession,
  });
  if (!isPossible) return null;
  return (
    <>
      <Button icon="coach" onPress={() => change.mutate()} isDisabled={isDisabled || change.isPending}>
        {to === 'guided' ? t('Continue with guidance') : t('Talk freely from here')}
      </Button>
      {change.isError && <ErrorBanner error={change.error} onRetry={() => change.mutate()} />}
    </>
  );
}
