/** The page of the plans for browsers: what each gives and costs, which one a learner has, and the way to the payment provider. */
import { type AccountView, PLAN_NAMES, planWords, type PlanOffer } from '@parley/contract';
import { ALLOWANCES, everyOf, isPaidPlan, moneyOf, type PlanType } from '@parley/domain';
import { type Html, html } from './html.ts';
import { page } from './web-layout.ts';
import { ACCOUNT_PATH, button, formatDay, SIGN_IN_PATH, whyNotIn } from './web-pages.ts';

/** By `POST`, each. */
export const PLAN_ACTS = {
  choose: '/plans/choose',
  manage: '/plans/manage',
  startFreeWeek: '/plans/start-free-week',
} as const;

/** Who looks at it from a browser that is signed in, and what their forms are sealed with. */
export interface PlanReader {
  account: AccountView;
  token: string;
}

export interface PlansOffered {
  offers: readonly PlanOffer[];
  isTest: boolean;
}

export function plansPage({ offers, isTest }: PlansOffered, reader: PlanReader | null): string {
  const isOpen = reader !== null && mayChoose(reader.account);
  return page(
    'Plans',
    html`<p>
        Guided practice, drills, review, history and export are free, always. A plan adds time with a live coach.
      </p>
      ${isTest ? html`<p>Test mode: no real money moves here, and no real card is needed.</p>` : null}
      ${reader === null ? null : standing(reader)} ${whatIsFirst(reader, offers)}
      ${isOpen && reader.account.mayTry && offers.length > 0 ? freeWeek(reader) : null} ${planPart('FREE', null)}
      ${offers.map((offer) => html`${planPart(offer.plan, offer)} ${isOpen ? choice(offer, reader) : null}`)}
      ${offers.length === 0 ? html`<p>Nothing is sold on this server.</p>` : null}
      <p><a href="${ACCOUNT_PATH}">Your account</a></p>`,
  );
}

/** Between a button of ours and the provider's page, where the browser goes by itself. */
export const leadingPage = (url: string): string =>
  page(
    'One moment',
    html`<p>The page of our payment provider opens. If it does not, <a href="${url}">open it yourself</a>.</p>`,
  );

const mayChoose = ({ hasAccess, eraseAt }: AccountView): boolean => hasAccess && eraseAt === null;

function standing({ account, token }: PlanReader): Html {
  const { line, warning } = planWords(account, (iso) => formatDay(new Date(iso)));
  const manage = { act: PLAN_ACTS.manage, token, label: 'Manage my plan', isSecond: true };
  return html`<h2>Yours: ${PLAN_NAMES[account.plan]}</h2>
    <p>${line}</p>
    ${warning === null ? null : html`<p>${warning}</p>`} ${account.subscription === null ? null : button(manage)}`;
}

function whatIsFirst(reader: PlanReader | null, offers: readonly PlanOffer[]): Html | null {
  if (offers.length === 0) return null;
  if (reader === null)
    return html`<p>A plan belongs to an address: <a href="${SIGN_IN_PATH}">sign in</a> to choose one.</p>`;
  if (!reader.account.hasAccess)
    return html`<p>
      ${whyNotIn(reader.account.accessTaken)} You can choose a plan as soon as you are in:
      <a href="${ACCOUNT_PATH}">what happens next</a>.
    </p>`;
  if (reader.account.eraseAt !== null)
    return html`<p>
      You asked us to delete this account. <a href="${ACCOUNT_PATH}">Keep it</a> first: then you can choose or change a
      plan.
    </p>`;
  return null;
}

const freeWeek = ({ token }: PlanReader): Html =>
  html`<h2>Try a plan for a week</h2>
    <p>${minutes(ALLOWANCES.TRIALING.liveS)} with a live coach. No card, and it ends by itself.</p>
    ${button({ act: PLAN_ACTS.startFreeWeek, token, label: 'Start the free week' })}`;

function planPart(plan: PlanType, offer: PlanOffer | null): Html {
  const { liveS, realisticS, every } = ALLOWANCES[plan];
  const often = every === 'local_day' ? 'a day' : 'a month';
  const calls = realisticS === 0 ? 'No calls.' : `${minutes(realisticS)} ${often} of that as calls.`;
  return html`<h2>${PLAN_NAMES[plan]}: ${offer === null ? 'no charge' : price(offer)}</h2>
    <p>${minutes(liveS)} ${often} with a live coach. ${calls}</p>`;
}

function choice(offer: PlanOffer, { account, token }: PlanReader): Html | null {
  const { plan, subscription } = account;
  if (plan === offer.plan && subscription?.priceId === offer.priceId) return html`<p>This is your plan.</p>`;
  if (isPaidPlan(subscription?.status ?? null)) return html`<p>Change to it under “Manage my plan”.</p>`;
  const label = `Choose ${PLAN_NAMES[offer.plan]}, ${price(offer)}`;
  return button({ act: PLAN_ACTS.choose, token, label, fields: { price: offer.priceId } });
}

const minutes = (seconds: number): string => `${Math.floor(seconds / 60).toLocaleString('en-GB')} minutes`;

const price = (offer: PlanOffer): string => `${moneyOf(offer.unitAmount, offer.currency)} ${everyOf(offer)}`;
