/** The prices, as reported by the payment provider. */
import { coursesOfPlan, planName, type PlanOffer } from '@parley/contract';
import { allowanceAtPrice, formatInterval, formatMoney, type PlanType } from '@parley/domain';
import type { Localizer } from '@parley/i18n';
import { type Html, html } from '../../web/html.ts';
import type { SitePage } from './site-layout.ts';
import type { SiteWords } from './site-words.ts';

const SECONDS_A_MINUTE = 60;

export interface PricingPage {
  offers: readonly PlanOffer[];
  isTest: boolean;
  /** False when the minutes of every plan are unlimited. */
  isMetered: boolean;
}

export function pricingPage(words: SiteWords, { offers, isTest, isMetered }: PricingPage): SitePage {
  const { t, linkTo } = words;
  return {
    title: t('Pricing'),
    description: t(
      'Guided practice, drills, review and progress are free. A plan adds time with coaches who talk freely, and the rest of each course.',
    ),
    path: '/pricing',
    body: html`<div class="hero">
        <h1>${t('Practice is free. Plans add live coaches and whole courses.')}</h1>
        <p class="lead">
          ${t('Guided practice, drills, review, progress, history and export are free, always, and work without a network. So is the first section of each course. A plan adds minutes with coaches who talk freely, and the rest of each course.')}
        </p>
        ${isTest ? html`<p>${t('Test mode: no real money, and no real card needed.')}</p>` : null}
      </div>
      <section>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">${t('Plan')}</th>
                <th scope="col">${t('Price')}</th>
                <th scope="col">${t('Time with a coach who talks freely')}</th>
                <th scope="col">${t('Courses')}</th>
              </tr>
            </thead>
            <tbody>
              ${planRow(words, { plan: 'FREE', offer: null, isMetered })}
              ${offers.map((offer) => planRow(words, { plan: offer.plan, offer, isMetered }))}
            </tbody>
          </table>
        </div>
        ${
          offers.length === 0
            ? html`<p class="two">${t('There are no plans on this server.')}</p>`
            : html`<p class="actions"><a class="button" href="${linkTo('/plans')}">${t('Choose a plan')}</a></p>`
        }
      </section>
      <section class="prose">
        <h2>${t('Can I stop?')}</h2>
        <p class="two">
          ${t('Yes, at any time, from your account. The plan runs until the end of the time you’ve paid for, and everything you did stays yours.')}
        </p>
        <h2>${t('What happens when I’ve used up my minutes?')}</h2>
        <p class="two">${t('The coach says goodbye, you get your result, and you can go on with guided practice.')}</p>
      </section>`,
  };
}

interface PlanRow {
  plan: PlanType;
  /** Null for the free plan. */
  offer: PlanOffer | null;
  isMetered: boolean;
}

function planRow(localizer: Localizer, { plan, offer, isMetered }: PlanRow): Html {
  const { t } = localizer;
  return html`<tr>
    <th scope="row">${planName(plan, t)}</th>
    <td>${offer === null ? t('no charge') : formatPrice(localizer, offer)}</td>
    <td>${isMetered ? formatAllowance(localizer, plan, offer) : t('unlimited')}</td>
    <td>${coursesOfPlan(plan, t)}</td>
  </tr>`;
}

const formatPrice = ({ t, locale }: Localizer, offer: PlanOffer): string =>
  t('{price} {interval}', {
    price: formatMoney(offer.unitAmount, offer.currency, locale),
    interval: formatInterval(offer, t),
  });

function formatAllowance({ t }: Localizer, plan: PlanType, offer: PlanOffer | null): string {
  const { liveS, realisticS, ...every } = allowanceAtPrice(plan, offer);
  const minutesIn = (seconds: number): string =>
    t('{count, plural, one {# minute} other {# minutes}}', { count: Math.floor(seconds / SECONDS_A_MINUTE) });
  const values = { minutes: minutesIn(liveS), interval: formatInterval(every, t) };
  return realisticS === 0
    ? t('{minutes} {interval}, no calls', values)
    : t('{minutes} {interval}, including {calls} of calls', { ...values, calls: minutesIn(realisticS) });
}
