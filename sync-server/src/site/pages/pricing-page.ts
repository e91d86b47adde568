/** The prices, as reported by the payment provider. */
import { coursesOfPlan, planName, type PlanOffer } from '@parley/contract';
import { ALLOWANCES, formatInterval, formatMoney, type PlanType } from '@parley/domain';
import type { Localizer } from '@parley/i18n';
import { type Html, html } from '../../web/html.ts';
import type { SitePage } from './site-layout.ts';
import type { SiteWords } from './site-words.ts';

const SECONDS_A_MINUTE = 60;

export interface PricingPage {
  offers: readonly PlanOffer[];
  isTest: boolean;
}

export function pricingPage(words: SiteWords, { offers, isTest }: PricingPage): SitePage {
  const { t, locale, linkTo } = words;
  const priceOf = (offer: PlanOffer): string =>
    t('{price} {interval}', {
      price: formatMoney(offer.unitAmount, offer.currency, locale),
      interval: formatInterval(offer, t),
    });
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
              ${planRow(words, 'FREE', t('no charge'))}
              ${offers.map((offer) => planRow(words, offer.plan, priceOf(offer)))}
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

function planRow(localizer: Localizer, plan: PlanType, price: string): Html {
  const { t } = localizer;
  return html`<tr>
    <th scope="row">${planName(plan, t)}</th>
    <td>${price}</td>
    <td>${allowanceOf(localizer, plan)}</td>
    <td>${coursesOfPlan(plan, t)}</td>
  </tr>`;
}

function allowanceOf({ t }: Localizer, plan: PlanType): string {
  const { liveS, realisticS, resetsEvery } = ALLOWANCES[plan];
  const minutesIn = (seconds: number): string =>
    t('{count, plural, one {# minute} other {# minutes}}', { count: Math.floor(seconds / SECONDS_A_MINUTE) });
  const values = { minutes: minutesIn(liveS), calls: minutesIn(realisticS) };
  if (resetsEvery === 'local_day')
    return realisticS === 0
      ? t('{minutes} a day, no calls', values)
      : t('{minutes} a day, {calls} of them as calls', values);
  return realisticS === 0
    ? t('{minutes} a month, no calls', values)
    : t('{minutes} a month, {calls} of them as calls', values);
}
