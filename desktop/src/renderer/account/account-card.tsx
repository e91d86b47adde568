/** The account settings: sign-in state, export and account deletion. */
import { formatBytes, t } from '@parley/i18n';
import { Trans } from '@lingui/react';
import { type AccountState, planAtDeletionOf } from '@parley/contract';
import { DELETION_DELAY_MS, describePlanAtDeletion } from '@parley/domain';
import { Address, Avatar, Banner, Button, Card, MutedText, Row } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { ChangeNotice } from '../foundation/screen/change-notice.tsx';
import { NoServerBanner } from '../foundation/screen/no-server-banner.tsx';
import { QueryView, ErrorBanner } from '../foundation/screen/screen.tsx';
import { formatDate } from '../foundation/sentences/format-date.ts';
import { AccessRevokedBanner } from './access/access-revoked-banner.tsx';
import { DeleteAccount } from './deletion/delete-account.tsx';
import { ErasedNotice } from './deletion/erased-notice.tsx';
import { findErasureDate } from './deletion/erased-on.ts';
import { ImportData } from './import-data.tsx';
import { ReminderSwitch } from './reminder-switch.tsx';

export function AccountCard(): ReactElement {
  const { queries } = useHost();
  const state = useQuery(queries.account.state.queryOptions());
  return (
    <Card>
      <h2>{t('Your account')}</h2>
      <QueryView query={state} loadingLabel={t('Loading your account')} comesFrom="server">
        {(now) =>
          now.hasServer ? (
            <SignedInAccount state={now} />
          ) : (
            <NoServerBanner>
              {t('Accounts need a server, and none is set up. Everything stays on this computer.')}
            </NoServerBanner>
          )
        }
      </QueryView>
      <ExportData />
      <ImportData />
    </Card>
  );
}

function SignedInAccount({ state: { known, isSignedOut } }: { state: AccountState }): ReactElement {
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const profile = useQuery(queries.settings.read.queryOptions()).data?.profile;
  const [isDeleting, setDeleting] = useState(false);
  const [shownAt] = useState(() => new Date());
  const updateState = (now: AccountState): void => {
    cache.setQueryData(queries.account.state.queryKey(), now);
  };
  const signOut = useMutation({
    mutationFn: () => client.account.signOut(),
    onSuccess: () => cache.invalidateQueries(),
  });
  const withdrawDeletion = useMutation({ mutationFn: () => client.account.withdrawDeletion(), onSuccess: updateState });
  const erasedAt = findErasureDate({ eraseAt: known?.account.eraseAt ?? null, isSignedOut }, shownAt);
  if (known === null || known.account.email === null || isSignedOut)
    return (
      <>
        <MutedText>
          {erasedAt !== null ? (
            <ErasedNotice on={erasedAt} />
          ) : known === null || known.account.email === null ? (
            t(
              'You’re using Parley without an account. Sign in to practise on your other computers too, and to get a plan.',
            )
          ) : (
            <>
              <Trans
                id="You’re signed out. What you did stays on this computer. Sign in again as <0>{email}</0> to go on syncing."
                values={{ email: known.account.email }}
                components={{ 0: <Address /> }}
              />
            </>
          )}
        </MutedText>
        <Row>
          <Button variant="primary" onPress={() => void navigate({ to: '/sign-in' })}>
            {t('Sign in')}
          </Button>
        </Row>
      </>
    );
  const { email, eraseAt, accessTaken } = known.account;
  const lastDay = eraseAt === null ? new Date(known.at.getTime() + DELETION_DELAY_MS) : new Date(eraseAt);
  const planNotice = describePlanAtDeletion(planAtDeletionOf(known.account, lastDay), {
    t,
    formatDay: (at) => formatDate(at.toISOString()),
  });
  return (
    <>
      <Row>
        {profile !== undefined && (
          <Avatar firstName={profile.firstName} lastName={profile.lastName} imageUrl={profile.avatarUrl} />
        )}
        <p>
          <Trans id="Signed in as <0>{email}</0>" values={{ email }} components={{ 0: <Address /> }} />
        </p>
      </Row>
      {accessTaken !== null && <AccessRevokedBanner taken={accessTaken} leadsOn />}
      {eraseAt !== null && (
        <Banner
          tone="warn"
          action={
            <Button onPress={() => withdrawDeletion.mutate()} isDisabled={withdrawDeletion.isPending}>
              {t('Keep my account')}
            </Button>
          }
        >
          <ChangeNotice>
            {t('This account will be erased on {eraseAt}. You can change your mind until then. {planNotice}', {
              eraseAt: formatDate(eraseAt),
              planNotice,
            })}
          </ChangeNotice>
        </Banner>
      )}
      {eraseAt === null && withdrawDeletion.isSuccess && (
        <Banner>
          <ChangeNotice>{t('Your account won’t be deleted.')}</ChangeNotice>
        </Banner>
      )}
      <ReminderSwitch />
      <Row>
        <Button onPress={() => signOut.mutate()} isDisabled={signOut.isPending}>
          {t('Sign out')}
        </Button>
        {eraseAt === null && (
          <Button variant="danger" onPress={() => setDeleting(true)}>
            {t('Delete my account…')}
          </Button>
        )}
      </Row>
      {signOut.isError && <ErrorBanner error={signOut.error} />}
      {withdrawDeletion.isError && <ErrorBanner error={withdrawDeletion.error} />}
      {isDeleting && (
        <DeleteAccount
          email={email}
          planNotice={planNotice}
          onClose={() => setDeleting(false)}
          onDeleted={(now) => {
            updateState(now);
            setDeleting(false);
          }}
        />
      )}
    </>
  );
}

function ExportData(): ReactElement {
  const { client } = useHost();
  const exportAll = useMutation({ mutationFn: () => client.account.exportAll() });
  return (
    <>
      <Row>
        <Button onPress={() => exportAll.mutate()} isDisabled={exportAll.isPending}>
          {exportAll.isPending ? t('Writing…') : t('Export everything')}
        </Button>
        <MutedText small>
          {t('Your data as JSON and CSV, and your recordings on this computer, in one file.')}
        </MutedText>
      </Row>
      {exportAll.data !== undefined && (
        <Banner>
          {t('Exported ({bytes}): {file}', { bytes: formatBytes(exportAll.data.bytes), file: exportAll.data.file })}
        </Banner>
      )}
      {exportAll.data?.isComplete === false && (
        <Banner tone="warn">
          {t('Some sessions couldn’t be downloaded and aren’t in this file. Connect to the internet and export again.')}
        </Banner>
      )}
      {exportAll.isError && <ErrorBanner error={exportAll.error} />}
    </>
  );
}
