/** The plans side by side: what each gives, and what it costs. */
import type { AccountView, PlanOffer } from '@parley/contract';
import { ALLOWANCES, type PlanType, type PricingInterval } from '@parley/domain';
import { Badge, Banner, Button, Card, optionsOf, Quiet, Row, Segments } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { Answered, FailureBanner } from '../app/screen.tsx';
import css from './account.module.css';
import { everyOf, minutesOf, moneyOf } from './money.ts';
import { openOutside, PLAN_NAMES } from './plan-names.ts';

export function Offers({ account }: { account: AccountView }): ReactElement {
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [interval, setInterval] = useState<PricingInterval>('month');
  const plans = useQuery(queries.billing.plans.queryOptions());
  const trial = useMutation({
    mutationFn: () => client.billing.startTrial(),
    onSuccess: (now) => cache.setQueryData(queries.account.state.queryKey(), now),
  });
  const checkout = useMutation({
    mutationFn: (priceId: string) => client.billing.checkout({ priceId }),
    onSuccess: ({ url }) => openOutside(url),
  });
  return (
    <Answered query={plans} waiting="Loading the plans">
      {({ offers, isTest }) => (
        <>
          {isTest && <Banner>Test mode: no real money moves here, and no real card is needed.</Banner>}
          {account.mayTry && account.email !== null && offers.length > 0 && (
            <Card>
              <Row spread>
                <div>
                  <h2>Try everything for a week</h2>
                  <Quiet>
                    {minutesOf(ALLOWANCES.TRIALING.liveS)} with a live coach. No card, and it ends by itself.
                  </Quiet>
                </div>
                <Button look="primary" onPress={() => trial.mutate()} isDisabled={trial.isPending}>
                  Start the free week
                </Button>
              </Row>
              {trial.isError && <FailureBanner error={trial.error} />}
            </Card>
          )}
          {account.email === null && (
            <Banner action={<Button onPress={() => void navigate({ to: '/sign-in' })}>Sign in</Button>}>
              A plan belongs to an address: sign in to choose one.
            </Banner>
          )}
          {new Set(offers.map((offer) => offer.interval)).size > 1 && (
            <Segments<PricingInterval>
              label="Paid"
              value={interval}
              onChange={setInterval}
              options={optionsOf({ month: 'Every month', year: 'Once a year' })}
            />
          )}
          <div className={css['plans']}>
            <Offer plan="FREE" offer={null} account={account} isOpening={false} onChoose={null} />
            {offersBy(offers, interval).map((offer) => (
              <Offer
                key={offer.priceId}
                plan={offer.plan}
                offer={offer}
                account={account}
                isOpening={checkout.isPending}
                onChoose={account.email === null ? null : () => checkout.mutate(offer.priceId)}
              />
            ))}
          </div>
          {offers.length === 0 && <Quiet>Nothing is sold on this server.</Quiet>}
          {checkout.isError && <FailureBanner error={checkout.error} />}
        </>
      )}
    </Answered>
  );
}

/** Those that are paid as often; all of them where there is only one way. */
function offersBy(offers: readonly PlanOffer[], interval: PricingInterval): readonly PlanOffer[] {
  const fitting = offers.filter((offer) => offer.interval === interval);
  return fitting.length === 0 ? offers : fitting;
}

interface OfferProps {
  plan: PlanType;
  offer: PlanOffer | null;
  account: AccountView;
  /** A page at which one pays is on its way. */
  isOpening: boolean;
  onChoose: (() => void) | null;
}

function Offer({ plan, offer, account, isOpening, onChoose }: OfferProps): ReactElement {
  const { liveS, realisticS, every } = ALLOWANCES[plan];
  const often = every === 'local_day' ? 'a day' : 'a month';
  const isPaying = account.subscription !== null && (account.plan === 'PLUS' || account.plan === 'PRO');
  return (
    <Card>
      <div className={css['plan']}>
        <Row spread>
          <h3>{PLAN_NAMES[plan]}</h3>
          {account.plan === plan && <Badge icon="check">Your plan</Badge>}
        </Row>
        <p className={css['price']}>
          {offer === null ? 'No charge' : moneyOf(offer.unitAmount, offer.currency)}{' '}
          <small>{offer === null ? 'for as long as you like' : everyOf(offer)}</small>
        </p>
        <ul className={css['gets']}>
          <li>
            {minutesOf(liveS)} {often} with a live coach
          </li>
          <li>{realisticS === 0 ? 'No calls' : `${minutesOf(realisticS)} ${often} of that as calls`}</li>
          <li>{plan === 'FREE' ? 'The first section of each course' : 'All courses'}</li>
        </ul>
        {onChoose !== null && account.plan !== plan && !isPaying && (
          <Button look={plan === 'PLUS' ? 'primary' : 'secondary'} onPress={onChoose} isDisabled={isOpening}>
            Choose {PLAN_NAMES[plan]}
          </Button>
        )}
        {isPaying && offer !== null && account.plan !== plan && (
          <Quiet small>Change to it under “Manage my plan”.</Quiet>
        )}
      </div>
    </Card>
  );
}
