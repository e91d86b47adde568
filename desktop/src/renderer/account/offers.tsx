/** The plans side by side: what each gives, and what it costs. */
import { type AccountView, PLAN_NAMES, type PlanOffer } from '@parley/contract';
import { ALLOWANCES, everyOf, isPaidPlan, moneyOf, type PlanType, type PricingInterval } from '@parley/domain';
import { Badge, Banner, Button, Card, optionsOf, Quiet, Row, Segments } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { Answered, FailureBanner } from '../app/screen.tsx';
import { minutesOf } from '../app/when.ts';
import css from './account.module.css';
import { openOutside } from './open-outside.ts';

export function Offers({ account }: { account: AccountView }): ReactElement {
  const { queries } = useHost();
  const plans = useQuery(queries.billing.plans.queryOptions());
  return (
    <Answered query={plans} waiting="Loading the plans">
      {({ offers, isTest }) => (
        <>
          {isTest && <Banner>Test mode: no real money moves here, and no real card is needed.</Banner>}
          {account.mayTry && mayChoose(account) && offers.length > 0 && <FreeWeek />}
          <Before account={account} />
          <Plans account={account} offers={offers} />
        </>
      )}
    </Answered>
  );
}

/** Whoever has no address, or is about to be erased, has something else to do first. */
const mayChoose = ({ email, eraseAt }: AccountView): boolean => email !== null && eraseAt === null;

function Before({ account: { email, eraseAt } }: { account: AccountView }): ReactElement | null {
  const navigate = useNavigate();
  if (email === null)
    return (
      <Banner action={<Button onPress={() => void navigate({ to: '/sign-in' })}>Sign in</Button>}>
        A plan belongs to an address: sign in to choose one.
      </Banner>
    );
  if (eraseAt === null) return null;
  return (
    <Banner action={<Button onPress={() => void navigate({ to: '/settings' })}>Open the settings</Button>}>
      You asked us to delete this account. Keep it first, in the settings: then you can choose or change a plan.
    </Banner>
  );
}

function FreeWeek(): ReactElement {
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const start = useMutation({
    mutationFn: () => client.billing.startTrial(),
    onSuccess: (now) => cache.setQueryData(queries.account.state.queryKey(), now),
  });
  return (
    <Card>
      <Row spread>
        <div>
          <h2>Try a plan for a week</h2>
          <Quiet>{minutesOf(ALLOWANCES.TRIALING.liveS)} with a live coach. No card, and it ends by itself.</Quiet>
        </div>
        <Button look="primary" onPress={() => start.mutate()} isDisabled={start.isPending}>
          Start the free week
        </Button>
      </Row>
      {start.isError && <FailureBanner error={start.error} />}
    </Card>
  );
}

function Plans({ account, offers }: { account: AccountView; offers: readonly PlanOffer[] }): ReactElement {
  const { client } = useHost();
  const [chosen, setChosen] = useState<PricingInterval | null>(null);
  const checkout = useMutation({
    mutationFn: (priceId: string) => client.billing.checkout({ priceId }),
    onSuccess: ({ url }) => openOutside(url),
  });
  const paid = offers.find((offer) => isHeld(account, offer));
  const interval = chosen ?? paid?.interval ?? 'month';
  return (
    <>
      {new Set(offers.map((offer) => offer.interval)).size > 1 && (
        <Segments<PricingInterval>
          label="Paid"
          value={interval}
          onChange={setChosen}
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
            onChoose={mayChoose(account) ? () => checkout.mutate(offer.priceId) : null}
          />
        ))}
      </div>
      {offers.length === 0 && <Quiet>Nothing is sold on this server.</Quiet>}
      {checkout.isError && <FailureBanner error={checkout.error} />}
    </>
  );
}

/** Those that are paid as often; all of them where there is only one way. */
function offersBy(offers: readonly PlanOffer[], interval: PricingInterval): readonly PlanOffer[] {
  const fitting = offers.filter((offer) => offer.interval === interval);
  return fitting.length === 0 ? offers : fitting;
}

/** The plan that the learner has is the price that they pay, and not the same plan by another one. */
const isHeld = ({ plan, subscription }: AccountView, offer: PlanOffer | null): boolean =>
  offer === null ? plan === 'FREE' : plan === offer.plan && subscription?.priceId === offer.priceId;

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
  const isYours = isHeld(account, offer);
  const isPaying = isPaidPlan(account.subscription?.status ?? null);
  return (
    <Card>
      <div className={css['plan']}>
        <Row spread>
          <h3>{PLAN_NAMES[plan]}</h3>
          {isYours && <Badge icon="check">Your plan</Badge>}
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
        </ul>
        {offer !== null && !isYours && onChoose !== null && (
          <div className={css['choose']}>
            {isPaying ? (
              <Quiet small>Change to it under “Manage my plan”.</Quiet>
            ) : (
              <Button look={plan === 'PLUS' ? 'primary' : 'secondary'} onPress={onChoose} isDisabled={isOpening}>
                Choose {PLAN_NAMES[plan]}
              </Button>
            )}
          </div>
        )}
      </div>
    </Card>
  );
}
