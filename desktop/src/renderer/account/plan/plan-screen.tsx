/** Shows the learner's plan, its remaining minutes and the other plans. Payment happens in the system's browser. */
import { t } from '@parley/i18n';
import { type AccountState, type AccountView, planName, describePlan } from '@parley/contract';
import { Banner, Button, Card, MutedText, Row } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import { NoServerBanner } from '../../foundation/screen/no-server-banner.tsx';
import { QueryView, ErrorBanner, Screen } from '../../foundation/screen/screen.tsx';
import { formatDate, formatDateTime } from '../../foundation/sentences/format-date.ts';
import { AccessRevokedBanner } from '../access/access-revoked-banner.tsx';
import { ErasedNotice } from '../deletion/erased-notice.tsx';
import { findErasureDate } from '../deletion/erased-on.ts';
import { Invoices } from './invoices.tsx';
import { PlanOffers } from './plan-offers.tsx';
import { openInBrowser } from './open-in-browser.ts';
import { RemainingMinutes } from './remaining-minutes.tsx';

/** The interval is short, because the learner may be paying in the browser at this moment. */
const REFETCH_INTERVAL_MS = 5_000;

export function PlanScreen(): ReactElement {
  const { queries } = useHost();
  const state = useQuery(queries.account.state.queryOptions({ refetchInterval: REFETCH_INTERVAL_MS }));
  return (
    <Screen
      title={t('Plan')}
      intro={t(
        'Guided practice, drills, review, history and export are free, always. A plan adds time with a live coach, and the rest of each course.',
      )}
    >
      <QueryView query={state} loadingLabel={t('Checking your plan')} comesFrom="server">
        {(now) => <Plan state={now} />}
      </QueryView>
    </Screen>
  );
}

function Plan({ state }: { state: AccountState }): ReactElement {
  const { hasServer, known, isFresh } = state;
  const { queries } = useHost();
  const sync = useQuery(queries.sync.status.queryOptions()).data?.state;
  // Either the account or the sync connection may learn first that the device was signed out.
  const isSignedOut = state.isSignedOut || sync === 'signed_out';
  if (!hasServer)
    return (
      <NoServerBanner>
        {t('Plans come from a server, and none is set up here. Everything Parley does without a server is free.')}
      </NoServerBanner>
    );
  if (isSignedOut) return <SignedOutBanner account={known?.account ?? null} />;
  if (known === null)
    return <Banner tone="warn">{t('Parley can’t reach the server, so it can’t show your plan right now.')}</Banner>;
  const { account } = known;
  return (
    <>
      {!isFresh && (
        <Banner tone="warn">
          {t('Parley can’t reach the server. This is from {at}.', {
            at: formatDateTime(known.at.toISOString()),
          })}
        </Banner>
      )}
      {(account.hasAccess || account.subscription !== null) && <CurrentPlan account={account} />}
      {account.hasAccess ? <PlanOffers account={account} /> : <AccessRequired account={account} />}
      {account.subscription !== null && <Invoices />}
    </>
  );
}

function SignedOutBanner({ account }: { account: AccountView | null }): ReactElement {
  const navigate = useNavigate();
  const email = account?.email ?? null;
  const [shownAt] = useState(() => new Date());
  const erasedAt = findErasureDate({ eraseAt: account?.eraseAt ?? null, isSignedOut: true }, shownAt);
  return (
    <Banner action={<Button onPress={() => void navigate({ to: '/sign-in' })}>{t('Sign in')}</Button>}>
      {erasedAt === null ? (
        email === null ? (
          t('You’re signed out. Sign in to see your plan, and to change it.')
        ) : (
          t('You’re signed out. Sign in as {email} to see your plan, and to change it.', { email })
        )
      ) : (
        <ErasedNotice on={erasedAt} />
      )}
    </Banner>
  );
}

/** A plan is useless without access, so access is required before payment. */
function AccessRequired({ account: { email, accessTaken, waitingSince } }: { account: AccountView }): ReactElement {
  const navigate = useNavigate();
  if (accessTaken !== null) return <AccessRevokedBanner taken={accessTaken} leadsOn />;
  if (waitingSince !== null)
    return (
      <Banner action={<Button onPress={() => void navigate({ to: '/waiting' })}>{t('See what happens next')}</Button>}>
        {t('Your request is waiting for approval. Then you can choose a plan here.')}
      </Banner>
    );
  const ask = email === null ? t('Sign in') : t('Ask for access');
  return (
    <Banner
      action={<Button onPress={() => void navigate({ to: email === null ? '/sign-in' : '/waiting' })}>{ask}</Button>}
    >
      {t('The people who run this server approve learners one by one. Once you’re approved, you can choose a plan.')}
    </Banner>
  );
}

function CurrentPlan({ account }: { account: AccountView }): ReactElement {
  const { client } = useHost();
  const portal = useMutation({ mutationFn: () => client.billing.portal(), onSuccess: ({ url }) => openInBrowser(url) });
  const { line, warning } = describePlan(account, { t, formatDay: formatDate });
  return (
    <Card>
      <Row spread>
        <h2>{planName(account.plan, t)}</h2>
        {account.subscription !== null && (
          <Button onPress={() => portal.mutate()} isDisabled={portal.isPending}>
            {t('Manage my plan')}
          </Button>
        )}
      </Row>
      <MutedText>{line}</MutedText>
      {warning !== null && <Banner tone="warn">{warning}</Banner>}
      {account.hasAccess && <RemainingMinutes account={account} />}
      {portal.isError && <ErrorBanner error={portal.error} />}
    </Card>
  );
}
