/** Which plan a learner is on, what is left of it, and which others there are. Paying happens in the system's own browser. */
import type { AccountView } from '@parley/contract';
import { Banner, Button, Card, Quiet, Row, Stack } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../app/host-context.tsx';
import { Answered, FailureBanner, Screen } from '../app/screen.tsx';
import { whenOf } from '../app/when.ts';
import css from './account.module.css';
import { Invoices } from './invoices.tsx';
import { countOf, dayOf, minutesOf } from './money.ts';
import { Offers } from './offers.tsx';
import { openOutside, PLAN_NAMES } from './plan-names.ts';

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
        {({ hasServer, known, isFresh }) => {
          if (!hasServer)
            return <Banner>This Parley has no server, so there are no plans: everything here is yours.</Banner>;
          if (known === null)
            return <Banner tone="warn">The server cannot be reached, so your plan is not known now.</Banner>;
          return (
            <>
              {!isFresh && (
                <Banner tone="warn">
                  The server cannot be reached. This is what it said on {known.at.toLocaleString('en-GB')}.
                </Banner>
              )}
              <Current account={known.account} />
              <Offers account={known.account} />
              {known.account.subscription !== null && <Invoices />}
            </>
          );
        }}
      </Answered>
    </Screen>
  );
}

function Current({ account }: { account: AccountView }): ReactElement {
  const { client } = useHost();
  const portal = useMutation({ mutationFn: () => client.billing.portal(), onSuccess: ({ url }) => openOutside(url) });
  const { subscription } = account;
  return (
    <Card>
      <Row spread>
        <h2>{PLAN_NAMES[account.plan]}</h2>
        {subscription !== null && (
          <Button onPress={() => portal.mutate()} isDisabled={portal.isPending}>
            Manage my plan
          </Button>
        )}
      </Row>
      <Quiet>{statusOf(account)}</Quiet>
      {subscription !== null && subscription.graceUntil !== null && (
        <Banner tone="warn">
          Your last payment did not go through. Your plan holds until {dayOf(subscription.graceUntil)}; check your card
          under “Manage my plan”.
        </Banner>
      )}
      {account.live !== null && account.calls !== null ? (
        <Stack tight>
          <Left name="Live conversation" minutes={account.live} />
          <Left name="Of which calls" minutes={account.calls} />
          {account.resetsAt !== null && <Quiet small>Your minutes begin anew on {whenOf(account.resetsAt)}.</Quiet>}
        </Stack>
      ) : (
        <Quiet>This server counts no minutes.</Quiet>
      )}
      {portal.isError && <FailureBanner error={portal.error} />}
    </Card>
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

function statusOf({ plan, subscription, email }: AccountView): string {
  if (email === null) return 'You use Parley without an account.';
  const end = subscription?.currentPeriodEnd ?? null;
  if (subscription === null || plan === 'FREE' || end === null) return 'You have no paid plan.';
  if (plan === 'TRIALING') return `Your free week ends on ${dayOf(end)}. Nothing is charged by itself.`;
  return subscription.endsAt !== null
    ? `It ends on ${dayOf(end)}, and is not renewed.`
    : `It is renewed on ${dayOf(end)}.`;
}
