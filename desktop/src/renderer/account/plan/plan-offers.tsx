/** Shows the plans side by side, with what each includes and costs. */
import { formatLocale, t } from '@parley/i18n';
import { type AccountView, coursesOfPlan, currentOffers, isPaying, planName, type PlanOffer } from '@parley/contract';
import {
  allowanceAtPrice,
  ALLOWANCES,
  formatInterval,
  formatMoney,
  type PlanType,
  type PricingInterval,
} from '@parley/domain';
import { Badge, Banner, Button, Card, toOptions, MutedText, Row, SegmentedControl } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import { QueryView, ErrorBanner } from '../../foundation/screen/screen.tsx';
import { formatMinutes } from '../../foundation/sentences/format-date.ts';
import css from '../account.module.css';
import { openInBrowser } from './open-in-browser.ts';

export function PlanOffers({ account }: { account: AccountView }): ReactElement {
  const { queries } = useHost();
  const plans = useQuery(queries.billing.plans.queryOptions());
  return (
    <QueryView query={plans} loadingLabel={t('Loading the plans')} comesFrom="server">
      {({ offers, isTest }) => (
        <>
          {isTest && <Banner>{t('Test mode: no real money, and no real card needed.')}</Banner>}
          {account.mayTry && canChoosePlan(account) && offers.length > 0 && <FreeTrial />}
          {offers.length > 0 && <ChoiceRequirement account={account} />}
          <Plans account={account} offers={offers} />
        </>
      )}
    </QueryView>
  );
}

/** A learner without an e-mail address, or with a pending account deletion, cannot choose a plan yet. */
const canChoosePlan = ({ email, eraseAt }: AccountView): boolean => email !== null && eraseAt === null;

function ChoiceRequirement({ account: { email, eraseAt } }: { account: AccountView }): ReactElement | null {
  const navigate = useNavigate();
  if (email === null)
    return (
      <Banner action={<Button onPress={() => void navigate({ to: '/sign-in' })}>{t('Sign in')}</Button>}>
        {t('A plan belongs to an e-mail address, so sign in to choose one.')}
      </Banner>
    );
  if (eraseAt === null) return null;
  return (
    <Banner action={<Button onPress={() => void navigate({ to: '/settings' })}>{t('Open the settings')}</Button>}>
      {t('This account is about to be deleted. Keep it in Settings first, then choose or change a plan.')}
    </Banner>
  );
}

function FreeTrial(): ReactElement {
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
          <h2>{t('Try a plan for a week')}</h2>
          <MutedText>
            {t('{liveS} with a live coach. No card needed, and it ends automatically.', {
              liveS: formatMinutes(ALLOWANCES.TRIALING.liveS),
            })}
          </MutedText>
        </div>
        <Button variant="primary" onPress={() => start.mutate()} isDisabled={start.isPending}>
          {t('Start the free week')}
        </Button>
      </Row>
      {start.isError && <ErrorBanner error={start.error} />}
    </Card>
  );
}

const INTERVAL_NAMES: Record<PricingInterval, string> = {
  day: t('Daily'),
  week: t('Weekly'),
  month: t('Monthly'),
  year: t('Yearly'),
};

function Plans({ account, offers }: { account: AccountView; offers: readonly PlanOffer[] }): ReactElement {
  const { client } = useHost();
  const [chosen, setChosen] = useState<PricingInterval | null>(null);
  const checkout = useMutation({
    mutationFn: (priceId: string) => client.billing.checkout({ priceId }),
    onSuccess: ({ url }) => openInBrowser(url),
  });
  const current = currentOffers(account, offers);
  const usual = offers.find((offer) => offer.interval === 'month') ?? offers[0];
  const interval = chosen ?? current[0]?.interval ?? usual?.interval ?? 'month';
  return (
    <>
      {new Set(offers.map((offer) => offer.interval)).size > 1 && (
        <SegmentedControl<PricingInterval>
          label={t('Billing')}
          value={interval}
          onChange={setChosen}
          options={toOptions(INTERVAL_NAMES).filter(({ value }) => offers.some((offer) => offer.interval === value))}
        />
      )}
      <div className={css['plans']}>
        <PlanOfferCard
          plan="FREE"
          offer={null}
          account={account}
          isCurrent={account.plan === 'FREE'}
          isCheckoutOpening={false}
          onChoose={null}
        />
        {offersForInterval(offers, interval).map((offer) => (
          <PlanOfferCard
            key={offer.priceId}
            plan={offer.plan}
            offer={offer}
            account={account}
            isCurrent={current.includes(offer)}
            isCheckoutOpening={checkout.isPending}
            onChoose={canChoosePlan(account) ? () => checkout.mutate(offer.priceId) : null}
          />
        ))}
      </div>
      {offers.length === 0 && <MutedText>{t('There are no plans on this server.')}</MutedText>}
      {checkout.isError && <ErrorBanner error={checkout.error} />}
    </>
  );
}

/** The offers with this billing interval, or all of them when only one interval exists. */
function offersForInterval(offers: readonly PlanOffer[], interval: PricingInterval): readonly PlanOffer[] {
  const matchingOffers = offers.filter((offer) => offer.interval === interval);
  return matchingOffers.length === 0 ? offers : matchingOffers;
}

interface PlanOfferCardProps {
  plan: PlanType;
  offer: PlanOffer | null;
  account: AccountView;
  isCurrent: boolean;
  /** Whether the checkout page is being opened. */
  isCheckoutOpening: boolean;
  onChoose: (() => void) | null;
}

function PlanOfferCard(props: PlanOfferCardProps): ReactElement {
  const { plan, offer, account, isCurrent, isCheckoutOpening, onChoose } = props;
  return (
    <Card>
      <div className={css['plan']}>
        <div>
          <Row>
            <h3>{planName(plan, t)}</h3>
            {isCurrent && <Badge icon="check">{t('Your plan')}</Badge>}
          </Row>
          {offer?.description && <MutedText>{offer.description}</MutedText>}
        </div>
        <p className={css['price']}>
          {offer === null ? t('No charge') : formatMoney(offer.unitAmount, offer.currency, formatLocale())}{' '}
          <small>{offer === null ? t('for as long as you like') : formatInterval(offer, t)}</small>
        </p>
        <ul className={css['gets']}>
          {describeMinutes(account, plan, offer).map((line) => (
            <li key={line}>{line}</li>
          ))}
          <li>{coursesOfPlan(plan, t)}</li>
        </ul>
        {offer !== null && !isCurrent && onChoose !== null && (
          <div className={css['choose']}>
            {isPaying(account) ? (
              <MutedText small>{t('You can switch to it under “Manage my plan”.')}</MutedText>
            ) : (
              <Button
                variant={plan === 'PLUS' ? 'primary' : 'secondary'}
                onPress={onChoose}
                isDisabled={isCheckoutOpening}
              >
                {t('Choose {name}', { name: planName(plan, t) })}
              </Button>
            )}
          </div>
        )}
      </div>
    </Card>
  );
}

function describeMinutes({ live }: AccountView, plan: PlanType, offer: PlanOffer | null): string[] {
  if (live === null) return [t('Minutes aren’t limited on this server.')];
  const { liveS, realisticS, ...every } = allowanceAtPrice(plan, offer);
  const interval = formatInterval(every, t);
  return [
    t('{minutes} {interval} with a live coach', { minutes: formatMinutes(liveS), interval }),
    realisticS === 0
      ? t('No calls')
      : t('including {minutes} of calls {interval}', { minutes: formatMinutes(realisticS), interval }),
  ];
}
