/** Renders the plans page for browsers: allowances, prices, the learner's plan and the way to checkout. */
import type { PageLocalizer } from './page-language.ts';
import { type AccountView, currentOffers, describePlan, isPaying, planName, type PlanOffer } from '@parley/contract';
import {
  allowanceAtPrice,
  ALLOWANCES,
  COURSES_BY_PLAN,
  formatInterval,
  formatMoney,
  type PlanType,
} from '@parley/domain';
import { type Html, html } from './html.ts';
import { page, type ServerPage } from './layout.ts';
import { ACCOUNT_PATH, button, noAccessReason, planWords, SIGN_IN_PATH } from './account-pages.ts';

/** All of these are POST routes. */
export const PLAN_ACTIONS = {
  choose: '/plans/choose',
  manage: '/plans/manage',
  startFreeWeek: '/plans/start-free-week',
} as const;

/** A signed-in visitor, and the token that protects their forms. */
export interface PlanVisitor {
  account: AccountView;
  token: string;
}

export interface OfferedPlans {
  offers: readonly PlanOffer[];
  isTest: boolean;
  /** False when the minutes of every plan are unlimited. */
  isMetered: boolean;
}

export function plansPage(
  localizer: PageLocalizer,
  { offers, isTest, isMetered }: OfferedPlans,
  reader: PlanVisitor | null,
): ServerPage {
  const { t } = localizer;
  const isOpen = reader !== null && canChoosePlan(reader.account);
  const current = reader === null ? [] : currentOffers(reader.account, offers);
  return page(
    localizer,
    t('Plans'),
    html`<p>
        ${t('Guided practice, drills, review, history and export are free, always. A plan adds time with a live coach, and the rest of each course.')}
      </p>
      ${isTest ? html`<p>${t('Test mode: no real money, and no real card needed.')}</p>` : null}
      ${reader === null ? null : currentPlanSection(localizer, reader)} ${prerequisiteNotice(localizer, reader, offers)}
      ${isOpen && reader.account.mayTry && offers.length > 0 ? freeWeekSection(localizer, reader) : null}
      ${planSection(localizer, { plan: 'FREE', offer: null, isMetered })}
      ${offers.map(
        (offer) =>
          html`${planSection(localizer, { plan: offer.plan, offer, isMetered })}
          ${isOpen ? planButton(localizer, { offer, isCurrent: current.includes(offer) }, reader) : null}`,
      )}
      ${offers.length === 0 ? html`<p>${t('There are no plans on this server.')}</p>` : null}
      <p><a href="${ACCOUNT_PATH}">${t('Your account')}</a></p>`,
  );
}

/** Forwards the browser from our form to the payment provider's page. */
export function redirectPage(localizer: PageLocalizer, url: string): ServerPage {
  const { t } = localizer;
  return page(
    localizer,
    t('One moment'),
    html`<p>${t('Taking you to our payment provider…')}</p>
      <p><a href="${url}">${t('Open it yourself')}</a></p>`,
  );
}

const canChoosePlan = ({ hasAccess, eraseAt }: AccountView): boolean => hasAccess && eraseAt === null;

function currentPlanSection(localizer: PageLocalizer, { account, token }: PlanVisitor): Html {
  const { t } = localizer;
  const { line, warning } = describePlan(account, planWords(localizer));
  const manage = { actionUrl: PLAN_ACTIONS.manage, token, label: t('Manage my plan'), isSecond: true };
  return html`<h2>${t('Your plan: {name}', { name: planName(account.plan, t) })}</h2>
    <p>${line}</p>
    ${warning === null ? null : html`<p>${warning}</p>`} ${account.subscription === null ? null : button(manage)}`;
}

function prerequisiteNotice(
  localizer: PageLocalizer,
  reader: PlanVisitor | null,
  offers: readonly PlanOffer[],
): Html | null {
  const { t } = localizer;
  if (offers.length === 0) return null;
  if (reader === null)
    return html`<p>${t('A plan belongs to an e-mail address, so sign in to choose one.')}</p>
      <p><a href="${SIGN_IN_PATH}">${t('Sign in')}</a></p>`;
  if (!reader.account.hasAccess)
    return html`<p>${noAccessReason(localizer, reader.account.accessTaken)}</p>
      <p>${t('You can choose a plan once you have access.')}</p>
      <p><a href="${ACCOUNT_PATH}">${t('What happens next')}</a></p>`;
  if (reader.account.eraseAt !== null)
    return html`<p>${t('This account is about to be deleted. Keep it first, then choose or change a plan.')}</p>
      <p><a href="${ACCOUNT_PATH}">${t('Go to your account')}</a></p>`;
  return null;
}

function freeWeekSection(localizer: PageLocalizer, { token }: PlanVisitor): Html {
  const { t } = localizer;
  return html`<h2>${t('Try a plan for a week')}</h2>
    <p>
      ${t('{liveS} with a live coach. No card needed, and it ends automatically.', { liveS: formatMinutes(localizer, ALLOWANCES.TRIALING.liveS) })}
    </p>
    ${button({ actionUrl: PLAN_ACTIONS.startFreeWeek, token, label: t('Start the free week') })}`;
}

interface PlanSection {
  plan: PlanType;
  offer: PlanOffer | null;
  isMetered: boolean;
}

function planSection(localizer: PageLocalizer, { plan, offer, isMetered }: PlanSection): Html {
  const { t } = localizer;
  const name = planName(plan, t);
  const title = offer === null ? name : t('{name}: {price}', { name, price: formatPrice(localizer, offer) });
  return html`<h2>${title}</h2>
    <p>${isMetered ? describeAllowance(localizer, plan, offer) : t('Minutes aren’t limited on this server.')}</p>
    <p>${describeCourses(localizer, plan)}</p>`;
}

/** How long a learner may talk with a live coach, and how much of that in calls. */
function describeAllowance(localizer: PageLocalizer, plan: PlanType, offer: PlanOffer | null): string {
  const { t } = localizer;
  const { liveS, realisticS, ...every } = allowanceAtPrice(plan, offer);
  const values = { minutes: formatMinutes(localizer, liveS), interval: formatInterval(every, t) };
  return realisticS === 0
    ? t('{minutes} {interval} with a live coach. No calls.', values)
    : t('{minutes} {interval} with a live coach, including {calls} of calls.', {
        ...values,
        calls: formatMinutes(localizer, realisticS),
      });
}

const describeCourses = ({ t }: PageLocalizer, plan: PlanType): string =>
  COURSES_BY_PLAN[plan] === 'all'
    ? t('All sections of all courses are included.')
    : t('The first section of each course is included.');

function planButton(
  localizer: PageLocalizer,
  { offer, isCurrent }: { offer: PlanOffer; isCurrent: boolean },
  { account, token }: PlanVisitor,
): Html | null {
  const { t } = localizer;
  if (isCurrent) return html`<p>${t('This is your plan.')}</p>`;
  if (isPaying(account)) return html`<p>${t('You can switch to it under “Manage my plan”.')}</p>`;
  const label = t('Choose {name}, {price}', {
    name: planName(offer.plan, t),
    price: formatPrice(localizer, offer),
  });
  return button({ actionUrl: PLAN_ACTIONS.choose, token, label, fields: { price: offer.priceId } });
}

const SECONDS_A_MINUTE = 60;

const formatMinutes = ({ t }: PageLocalizer, seconds: number): string =>
  t('{count, plural, one {# minute} other {# minutes}}', { count: Math.floor(seconds / SECONDS_A_MINUTE) });

const formatPrice = ({ t, locale }: PageLocalizer, offer: PlanOffer): string =>
  t('{price} {interval}', {
    price: formatMoney(offer.unitAmount, offer.currency, locale),
    interval: formatInterval(offer, t),
  });
