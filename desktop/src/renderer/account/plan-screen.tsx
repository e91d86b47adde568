/** Which plan a learner is on, what is left of it, and which others there are. Paying happens in the system's own browser. */
import { type AccountState, type AccountView, PLAN_NAMES, planWords } from '@parley/contract';
import { Banner, Button, Card, Quiet, Row, Stack } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { NoServer } from '../app/no-server.tsx';
import { Answered, FailureBanner, Screen } from '../app/screen.tsx';
import { countOf, dayOf, minutesOf, whenOf } from '../app/when.ts';
import { AccessTaken } from './access-taken.tsx';
import css from './account.module.css';
import { Erased } from './erased.tsx';
import { erasedOn } from './erased-on.ts';
import { Invoices } from './invoices.tsx';
import { Offers } from './offers.tsx';
import { openOutside } from './open-outside.ts';

/** While a learner may be paying in the browser. */
const ASK_AGAIN_MS = 5_000;

export function PlanScreen(): ReactElement {
  const { queries } = useHost();
  const state = useQuery(queries.account.state.queryOptions({ refetchInterval: ASK_AGAIN_MS }));
  return (
    <Screen
      title="Plan"
      intro="Guided practice, drills, review, history and export are free, always. A plan adds time with a live coach."
    >
      <Answered query={state} waiting="Asking the server about your plan">
        {(now) => <Plan state={now} />}
      </Answered>
    </Screen>
  );
}

function Plan({ state }: { state: AccountState }): ReactElement {
  const { hasServer, known, isFresh } = state;
  const { queries } = useHost();
  const sync = useQuery(queries.sync.status.queryOptions()).data?.state;
  // Either of them may be the first to be sent away.
  const isSignedOut = state.isSignedOut || sync === 'signed_out';
  if (!hasServer)
    return <NoServer>Plans come from a server, and this Parley has none. All that it does is free.</NoServer>;
  if (isSignedOut) return <SignedOut account={known?.account ?? null} />;
  if (known === null) return <Banner tone="warn">The server cannot be reached, so your plan is not known now.</Banner>;
  const { account } = known;
  return (
    <>
      {!isFresh && (
        <Banner tone="warn">
          The server cannot be reached. This is what it said on {whenOf(known.at.toISOString())}.
        </Banner>
      )}
      {(account.hasAccess || account.subscription !== null) && <Current account={account} />}
      {account.hasAccess ? <Offers account={account} /> : <AccessFirst account={account} />}
      {account.subscription !== null && <Invoices />}
    </>
  );
}

function SignedOut({ account }: { account: AccountView | null }): ReactElement {
  const navigate = useNavigate();
  const email = account?.email ?? null;
  const [shownAt] = useState(() => new Date());
  const erased = erasedOn({ eraseAt: account?.eraseAt ?? null, isSignedOut: true }, shownAt);
  return (
    <Banner action={<Button onPress={() => void navigate({ to: '/sign-in' })}>Sign in</Button>}>
      {erased === null ? (
        `You are signed out. Sign in${email === null ? '' : ` as ${email}`} to see your plan, and to change it.`
      ) : (
        <Erased on={erased} />
      )}
    </Banner>
  );
}

/** A plan gives time with coaches that they may not talk with: nobody is to pay for that. */
function AccessFirst({ account: { email, accessTaken, waitingSince } }: { account: AccountView }): ReactElement {
  const navigate = useNavigate();
  if (accessTaken !== null) return <AccessTaken taken={accessTaken} leadsOn />;
  if (waitingSince !== null)
    return (
      <Banner action={<Button onPress={() => void navigate({ to: '/waiting' })}>What happens next</Button>}>
        You have asked to be let in. As soon as you are, you can choose a plan here.
      </Banner>
    );
  const ask = email === null ? 'Sign in' : 'Ask to be let in';
  return (
    <Banner
      action={<Button onPress={() => void navigate({ to: email === null ? '/sign-in' : '/waiting' })}>{ask}</Button>}
    >
      The people who run this Parley let learners in one by one. {email === null ? 'Sign in, and ask' : 'Ask'} to be let
      in: then you can choose a plan.
    </Banner>
  );
}

function Current({ account }: { account: AccountView }): ReactElement {
  const { client } = useHost();
  const portal = useMutation({ mutationFn: () => client.billing.portal(), onSuccess: ({ url }) => openOutside(url) });
  const { line, warning } = planWords(account, dayOf);
  return (
    <Card>
      <Row spread>
        <h2>{PLAN_NAMES[account.plan]}</h2>
        {account.subscription !== null && (
          <Button onPress={() => portal.mutate()} isDisabled={portal.isPending}>
            Manage my plan
          </Button>
        )}
      </Row>
      <Quiet>{line}</Quiet>
      {warning !== null && <Banner tone="warn">{warning}</Banner>}
      {account.hasAccess && <Minutes account={account} />}
      {portal.isError && <FailureBanner error={portal.error} />}
    </Card>
  );
}

function Minutes({ account: { live, calls, resetsAt } }: { account: AccountView }): ReactElement {
  if (live === null || calls === null) return <Quiet>This server counts no minutes.</Quiet>;
  return (
    <Stack tight>
      <Left name="Live conversation" minutes={live} />
      <Left name="Of which calls" minutes={calls} />
      {resetsAt !== null && <Quiet small>Your minutes begin anew on {whenOf(resetsAt)}.</Quiet>}
    </Stack>
  );
}

function Left({ name, minutes }: { name: string; minutes: { allowedS: number; leftS: number } }): ReactElement {
  const { allowedS, leftS } = minutes;
  if (allowedS === 0) return <Quiet small>{name}: not in this plan.</Quiet>;
  return (
    <div>
      <Row spread>
        <span>{name}</span>
        <strong>
          {countOf(leftS)} of {minutesOf(allowedS)} left
        </strong>
      </Row>
      <progress value={leftS} max={allowedS} aria-label={`${name}: ${minutesOf(leftS)} left`} className={css['left']} />
    </div>
  );
}
