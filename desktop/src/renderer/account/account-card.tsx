/** Who is signed in here, taking everything along, and leaving for good. */
import { type AccountState, planAtLeavingOf } from '@parley/contract';
import { ERASE_AFTER_MS, sayPlanAtLeaving } from '@parley/domain';
import { Address, Banner, Button, Card, Quiet, Row } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { NoServer } from '../app/no-server.tsx';
import { Answered, FailureBanner } from '../app/screen.tsx';
import { dayOf } from '../app/when.ts';
import { AccessTaken } from './access-taken.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { Erased } from './erased.tsx';
import { erasedOn } from './erased-on.ts';
import { sizeOf } from './file-size.ts';
import { ReminderSwitch } from './reminder-switch.tsx';

export function AccountCard(): ReactElement {
  const { queries } = useHost();
  const state = useQuery(queries.account.state.queryOptions());
  return (
    <Card>
      <h2>Your account</h2>
      <Answered query={state} waiting="Loading your account">
        {(now) =>
          now.hasServer ? (
            <SignedIn state={now} />
          ) : (
            <NoServer>
              An account lives on a server, and this Parley has none. Everything stays on this computer.
            </NoServer>
          )
        }
      </Answered>
      <Export />
    </Card>
  );
}

function SignedIn({ state: { known, isSignedOut } }: { state: AccountState }): ReactElement {
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  const [shownAt] = useState(() => new Date());
  const show = (now: AccountState): void => {
    cache.setQueryData(queries.account.state.queryKey(), now);
  };
  const signOut = useMutation({
    mutationFn: () => client.account.signOut(),
    onSuccess: () => cache.invalidateQueries(),
  });
  const keep = useMutation({ mutationFn: () => client.account.withdrawDeletion(), onSuccess: show });
  const erased = erasedOn({ eraseAt: known?.account.eraseAt ?? null, isSignedOut }, shownAt);
  if (known === null || known.account.email === null || isSignedOut)
    return (
      <>
        <Quiet>
          {known === null || known.account.email === null ? (
            'You use Parley without an account. Sign in to have the same on your other computers, and to get a plan.'
          ) : erased !== null ? (
            <Erased on={erased} />
          ) : (
            <>
              You are signed out. What you did stays on this computer; sign in again as{' '}
              <Address>{known.account.email}</Address> to go on syncing.
            </>
          )}
        </Quiet>
        <Row>
          <Button look="primary" onPress={() => void navigate({ to: '/sign-in' })}>
            Sign in
          </Button>
        </Row>
      </>
    );
  const { email, eraseAt, accessTaken } = known.account;
  const lastDay = eraseAt === null ? new Date(known.at.getTime() + ERASE_AFTER_MS) : new Date(eraseAt);
  const ofPlan = sayPlanAtLeaving(planAtLeavingOf(known.account, lastDay), (at) => dayOf(at.toISOString()));
  return (
    <>
      <p>
        Signed in as <Address>{email}</Address>
      </p>
      {accessTaken !== null && <AccessTaken taken={accessTaken} leadsOn />}
      {eraseAt !== null && (
        <Banner
          tone="warn"
          action={
            <Button onPress={() => keep.mutate()} isDisabled={keep.isPending}>
              Keep my account
            </Button>
          }
        >
          This account is erased on {dayOf(eraseAt)}. Until then you can think again. {ofPlan}
        </Banner>
      )}
      <ReminderSwitch />
      <Row>
        <Button onPress={() => signOut.mutate()} isDisabled={signOut.isPending}>
          Sign out
        </Button>
        {eraseAt === null && (
          <Button look="danger" onPress={() => setDeleting(true)}>
            Delete my account …
          </Button>
        )}
      </Row>
      {signOut.isError && <FailureBanner error={signOut.error} />}
      {keep.isError && <FailureBanner error={keep.error} />}
      {isDeleting && (
        <DeleteAccount
          email={email}
          ofPlan={ofPlan}
          onClose={() => setDeleting(false)}
          onDeleted={(now) => {
            show(now);
            setDeleting(false);
          }}
        />
      )}
    </>
  );
}

function Export(): ReactElement {
  const { client } = useHost();
  const write = useMutation({ mutationFn: () => client.account.exportAll() });
  return (
    <>
      <Row>
        <Button onPress={() => write.mutate()} isDisabled={write.isPending}>
          {write.isPending ? 'Writing …' : 'Export everything'}
        </Button>
        <Quiet small>Your rows as JSON and CSV, and your recordings on this computer, in one file.</Quiet>
      </Row>
      {write.data !== undefined && (
        <Banner>
          Written, {sizeOf(write.data.bytes)}: {write.data.file}
        </Banner>
      )}
      {write.isError && <FailureBanner error={write.error} />}
    </>
  );
}
