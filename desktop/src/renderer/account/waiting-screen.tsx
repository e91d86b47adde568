/** Signed in, and not let in yet: what happens next, and what can be done meanwhile. */
import type { AccountState } from '@parley/contract';
import { Button, Card, Quiet, Row } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Navigate, useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useHost } from '../app/host-context.tsx';
import { Answered, FailureBanner, Screen } from '../app/screen.tsx';
import css from './account.module.css';

const ASK_AGAIN_MS = 30_000;

export function WaitingScreen(): ReactElement {
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const state = useQuery(queries.account.state.queryOptions({ refetchInterval: ASK_AGAIN_MS }));
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
    <Screen title="You are almost in">
      <Answered query={state} waiting="Asking the server">
        {({ known }) => {
          if (known === null || !known.account.mustBeGranted || known.account.hasAccess) return <Navigate to="/" />;
          const { email, waitingSince } = known.account;
          return (
            <div className={css['narrow']}>
              <Card>
                {waitingSince === null ? (
                  <>
                    <p>
                      You are signed in as <strong>{email}</strong>. The people who run this Parley let learners in one
                      by one.
                    </p>
                    <Row>
                      <Button look="primary" onPress={() => ask.mutate()} isDisabled={ask.isPending}>
                        Ask to be let in
                      </Button>
                    </Row>
                  </>
                ) : (
                  <>
                    <p>
                      Your request of {new Date(waitingSince).toLocaleDateString('en-GB', { dateStyle: 'long' })} is
                      with the people who run this Parley.
                    </p>
                    <h2>What happens next</h2>
                    <Quiet>
                      As soon as they let you in, a message goes to <strong>{email}</strong>, and this screen opens by
                      itself. You need not do anything.
                    </Quiet>
                  </>
                )}
                {ask.isError && <FailureBanner error={ask.error} />}
              </Card>
              <Quiet>
                Meanwhile your <Link to="/history">history</Link> and your <Link to="/settings">data</Link> are yours,
                as ever.
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
