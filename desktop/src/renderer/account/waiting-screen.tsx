/** Signed in, and not let in, or not any more: what waits, what happens next, and what works meanwhile. */
import type { AccountState } from '@parley/contract';
import { Button, Card, Quiet, Row } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Navigate, useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useHost } from '../app/host-context.tsx';
import { Answered, FailureBanner, Screen } from '../app/screen.tsx';
import { dayOf } from '../app/when.ts';
import { AccessTaken } from './access-taken.tsx';
import css from './account.module.css';

const ASK_AGAIN_MS = 30_000;

export function WaitingScreen(): ReactElement {
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const state = useQuery(queries.account.state.queryOptions({ refetchInterval: ASK_AGAIN_MS }));
  const isTaken = (state.data?.known?.account.accessTaken ?? null) !== null;
  const show = (now: AccountState): void => void cache.setQueryData(queries.account.state.queryKey(), now);
  const ask = useMutation({ mutationFn: () => client.account.requestAccess(), onSuccess: show });
  const leave = useMutation({
    mutationFn: () => client.account.signOut(),
    onSuccess: async () => {
      await cache.invalidateQueries();
      await navigate({ to: '/' });
    },
  });
  return (
    <Screen title={isTaken ? 'You have no access' : 'A live coach has to wait'}>
      <Answered query={state} waiting="Asking the server">
        {({ known, liveAccess }) => {
          // An open server lets everybody in, but from whom access was taken.
          if (known === null || (liveAccess !== 'waiting' && liveAccess !== 'taken')) return <Navigate to="/" />;
          const { email, waitingSince, accessTaken } = known.account;
          return (
            <div className={css['narrow']}>
              {accessTaken !== null && <AccessTaken taken={accessTaken} />}
              <Card>
                {waitingSince === null ? (
                  <>
                    <p>
                      You are signed in as <strong>{email}</strong>.{' '}
                      {accessTaken === null
                        ? 'The people who run this Parley let learners in one by one. Until then, a live coach has to wait.'
                        : 'You may ask to be let in again.'}
                    </p>
                    <Row>
                      <Button look="primary" onPress={() => ask.mutate()} isDisabled={ask.isPending}>
                        Ask to be let in
                      </Button>
                    </Row>
                  </>
                ) : (
                  <>
                    <p>Your request of {dayOf(waitingSince)} is with the people who run this Parley.</p>
                    <h2>What happens next</h2>
                    <Quiet>
                      As soon as they let you in, a message goes to <strong>{email}</strong>, and you can talk with a
                      live coach. You need not do anything.
                    </Quiet>
                  </>
                )}
                {ask.isError && <FailureBanner error={ask.error} />}
              </Card>
              <Quiet>
                Meanwhile <Link to="/practise">practices from the script</Link> and <Link to="/drills">drills</Link>{' '}
                work, scored on this computer, and your <Link to="/history">history</Link> and your{' '}
                <Link to="/settings">data</Link> are yours, as ever.
              </Quiet>
              <Row>
                <Button look="quiet" onPress={() => leave.mutate()} isDisabled={leave.isPending}>
                  Sign out
                </Button>
              </Row>
              {leave.isError && <FailureBanner error={leave.error} />}
            </div>
          );
        }}
      </Answered>
    </Screen>
  );
}
