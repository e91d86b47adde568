/** The screen for a signed-in learner without access: what happens next, and what works meanwhile. */
import { t } from '@parley/i18n';
import { Trans } from '@lingui/react';
import type { AccountState } from '@parley/contract';
import { Button, Card, MutedText, Row } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Navigate, useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import { QueryView, ErrorBanner, Screen } from '../../foundation/screen/screen.tsx';
import { formatDate } from '../../foundation/sentences/format-date.ts';
import { AccessRevokedBanner } from './access-revoked-banner.tsx';
import css from '../account.module.css';

const REFETCH_INTERVAL_MS = 30_000;

export function WaitingScreen(): ReactElement {
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const state = useQuery(queries.account.state.queryOptions({ refetchInterval: REFETCH_INTERVAL_MS }));
  const isRevoked = (state.data?.known?.account.accessTaken ?? null) !== null;
  const show = (now: AccountState): void => void cache.setQueryData(queries.account.state.queryKey(), now);
  const accessRequest = useMutation({ mutationFn: () => client.account.requestAccess(), onSuccess: show });
  const signOut = useMutation({
    mutationFn: () => client.account.signOut(),
    onSuccess: async () => {
      await cache.invalidateQueries();
      await navigate({ to: '/' });
    },
  });
  return (
    <Screen title={isRevoked ? t('You have no access') : t('Live coaches aren’t available to you yet')}>
      <QueryView query={state} loadingLabel={t('Checking your access')} comesFrom="server">
        {({ known, liveAccess }) => {
          // On a server with open access, only a learner whose access was revoked stays on this screen.
          if (known === null || (liveAccess !== 'waiting' && liveAccess !== 'taken')) return <Navigate to="/" />;
          const { email, waitingSince, accessTaken } = known.account;
          return (
            <div className={css['narrow']}>
              {accessTaken !== null && <AccessRevokedBanner taken={accessTaken} />}
              <Card>
                {waitingSince === null ? (
                  <>
                    <p>
                      <Trans
                        id="You’re signed in as <0>{email}</0>."
                        values={{ email }}
                        components={{ 0: <strong /> }}
                      />{' '}
                      {accessTaken === null
                        ? t(
                            'The people who run this server approve learners one by one. Until then, guided practices work.',
                          )
                        : t('You can ask for access again.')}
                    </p>
                    <Row>
                      <Button
                        variant="primary"
                        onPress={() => accessRequest.mutate()}
                        isDisabled={accessRequest.isPending}
                      >
                        {t('Ask for access')}
                      </Button>
                    </Row>
                  </>
                ) : (
                  <>
                    <p>
                      {t('Your request from {waitingSince} is with the people who run this server.', {
                        waitingSince: formatDate(waitingSince),
                      })}
                    </p>
                    <h2>{t('What happens next')}</h2>
                    <MutedText>
                      <Trans
                        id="When they approve it, we’ll send an e-mail to <0>{email}</0>, and you can talk with a live coach. There’s nothing else to do."
                        values={{ email }}
                        components={{ 0: <strong /> }}
                      />
                    </MutedText>
                  </>
                )}
                {accessRequest.isError && <ErrorBanner error={accessRequest.error} />}
              </Card>
              <MutedText>
                <Trans
                  id="Meanwhile, <0>guided practices</0> and <1>drills</1> work and are scored on this computer. Your <2>history</2> and your <3>data</3> are yours, as always."
                  components={{
                    0: <Link to="/practise" />,
                    1: <Link to="/drills" />,
                    2: <Link to="/history" />,
                    3: <Link to="/settings" />,
                  }}
                />
              </MutedText>
              <Row>
                <Button variant="quiet" onPress={() => signOut.mutate()} isDisabled={signOut.isPending}>
                  {t('Sign out')}
                </Button>
              </Row>
              {signOut.isError && <ErrorBanner error={signOut.error} />}
            </div>
          );
        }}
      </QueryView>
    </Screen>
  );
}
