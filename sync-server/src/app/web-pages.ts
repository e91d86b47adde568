/** The pages of signing in and of an account: plain, in whole sentences, and usable without a script. */
import { type AccountView, planAtLeavingOf, sayPlanWithoutAccess } from '@parley/contract';
import { ERASE_AFTER_MS, sayPlanAtLeaving } from '@parley/domain';
import { type Html, html } from './html.ts';
import { page } from './web-layout.ts';

export const HOME_PATH = '/';
export const SIGN_IN_PATH = '/sign-in';
export const REQUEST_PATH = '/sign-in/request';
export const ACCOUNT_PATH = '/account';
export const PLANS_PATH = '/plans';
export const EXPORT_PATHS = { json: '/account/export.json', zip: '/account/export.zip' } as const;
/** By `POST`, each. */
export const ACCOUNT_ACTS = {
  signOut: '/account/sign-out',
  signOutEverywhere: '/account/sign-out-everywhere',
  requestAccess: '/account/request-access',
  requestDeletion: '/account/request-deletion',
  withdrawDeletion: '/account/withdraw-deletion',
} as const;

interface Button {
  act: string;
  token: string;
  label: string;
  isSecond?: boolean;
  /** What is sent along. */
  fields?: Record<string, string>;
}

export const button = ({ act, token, label, isSecond = false, fields = {} }: Button): Html =>
  html`<form method="post" action="${act}">
    <input type="hidden" name="token" value="${token}" />${Object.entries(fields).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    )}<button class="${isSecond ? 'second' : 'first'}">${label}</button>
  </form>`;

const openParley = (href: string): Html => html`<p><a class="button" href="${href}">Open Parley</a></p>`;

/** Browsers do not say where they are. */
export const PAGE_TIME_ZONE = 'UTC';

export const formatDay = (at: Date): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: PAGE_TIME_ZONE }).format(at);

/** Behind the link of an e-mail, which may have been somebody else's. Looking at it changes nothing: scanners look at every link. */
export const linkPage = ({ email, link, token }: { email: string; link: string; token: string }): string =>
  page(
    `Sign in as ${email}?`,
    html` <p>If Parley is installed on this computer, sign in there:</p>
      ${openParley(`parley://sign-in?link=${link}`)}
      <p>Without it, you can look at your account here:</p>
      <form method="post" action="${SIGN_IN_PATH}">
        <input type="hidden" name="token" value="${token}" /><input type="hidden" name="link" value="${link}" />
        <button class="second">Sign in in this browser</button>
      </form>
      <p>
        The link works once. If this is not your address, or you did not ask for the link, close this page: nothing has
        happened.
      </p>`,
  );

export const spentLinkPage = ({ token }: { token: string }): string =>
  page(
    'This link does not work any more',
    html`<p>It was used already, or it is too old. Its code was spent with it. We can send you a new one.</p>
      ${addressForm(token)}`,
  );

export const addressPage = ({ token }: { token: string }): string =>
  page(
    'Sign in to Parley',
    html`<p>We send you an e-mail with a link. There is no password.</p>
      ${addressForm(token)}`,
  );

const addressForm = (token: string): Html =>
  html` <form method="post" action="${REQUEST_PATH}">
    <input type="hidden" name="token" value="${token}" />
    <label for="email">Your e-mail address</label>
    <input id="email" name="email" type="email" autocomplete="email" required maxlength="320" />
    <button>Send me a link</button>
  </form>`;

/** The same for every address. */
export const sentPage = (): string =>
  page(
    'Look into your e-mails',
    html`<p>If the address is right, a message with a link is on its way. The link works once, for 15 minutes.</p>
      <p>
        Nothing there after some minutes? Look where unwanted mail goes, or <a href="${SIGN_IN_PATH}">ask once more</a>.
      </p>`,
  );

/** What e-mails lead to by the server's name. */
export const homePage = (): string =>
  page(
    'Parley',
    html`<p>Practise spoken English with a coach, on your own computer.</p>
      ${openParley('parley://open')}
      <p><a href="${ACCOUNT_PATH}">Your account</a> · <a href="${PLANS_PATH}">The plans</a></p>`,
  );

export const troublePage = (sentence: string): string =>
  page(
    'That did not work',
    html`<p>${sentence}</p>
      <p><a href="${ACCOUNT_PATH}">Go on</a></p>`,
  );

export function accountPage({ account, token, now }: { account: AccountView; token: string; now: Date }): string {
  return page(
    titleOf(account),
    html` <p>You are signed in as ${account.email}.</p>
      ${entrance(account, token)}
      <p><a href="${PLANS_PATH}">Your plan, and the others</a></p>
      <h2>What is yours</h2>
      <p>
        Download everything that this server holds of you, as
        <a href="${EXPORT_PATHS.json}" download>one JSON file</a> or as
        <a href="${EXPORT_PATHS.zip}" download>tables for a spreadsheet</a>. Your recordings lie on your own computer
        only.
      </p>
      ${leaving(account, { token, now })}
      <h2>Sign out</h2>
      ${button({ act: ACCOUNT_ACTS.signOut, token, label: 'Sign out of this browser', isSecond: true })}
      ${button({ act: ACCOUNT_ACTS.signOutEverywhere, token, label: 'Sign out everywhere', isSecond: true })}
      <p>Everywhere means all browsers and all devices. What a device holds stays on it.</p>`,
  );
}

function entrance(account: AccountView, token: string): Html {
  if (account.hasAccess) return openParley('parley://open');
  const ofPlan = sayPlanWithoutAccess(account, (iso) => formatDay(new Date(iso)));
  return html`${account.accessTaken === null ? waiting(account, token) : taken(account.accessTaken, token)}
  ${ofPlan === null ? null : html`<p>${ofPlan}</p>`}`;
}

function titleOf({ hasAccess, accessTaken, waitingSince }: AccountView): string {
  if (hasAccess) return 'Your account';
  if (accessTaken !== null) return 'You have no access';
  return waitingSince === null ? 'Not open yet' : 'You are on the list';
}

export const whyNotIn = (taken: AccountView['accessTaken']): string =>
  taken === null
    ? 'This server lets people in one by one.'
    : `Whoever runs this server took your access away on ${formatDay(new Date(taken.at))}.`;

const taken = (by: NonNullable<AccountView['accessTaken']>, token: string): Html =>
  html`<p>${whyNotIn(by)}</p>
    ${by.reason === null ? null : html`<p>Their reason: “${by.reason}”</p>`}
    <p>
      What you practised stays yours, on your computer and here, and Parley on your computer goes on with its guided
      coach.
    </p>
    ${button({ act: ACCOUNT_ACTS.requestAccess, token, label: 'Ask to be let in again', isSecond: true })}`;

const waiting = ({ waitingSince, email }: AccountView, token: string): Html =>
  waitingSince === null
    ? html`<p>${whyNotIn(null)} Ask, and somebody looks at it.</p>
        ${button({ act: ACCOUNT_ACTS.requestAccess, token, label: 'Ask to be let in' })}`
    : html`<p>You asked to be let in on ${formatDay(new Date(waitingSince))}.</p>
        <h2>What happens next</h2>
        <p>
          Somebody looks at every request. When it is your turn, an e-mail with a link goes to ${email}. There is
          nothing that you have to do.
        </p>
        <p>
          Meanwhile Parley on your computer works with its guided coach. What you practise is lost nowhere: it stays on
          your computer, and here.
        </p>`;

function leaving(account: AccountView, { token, now }: { token: string; now: Date }): Html {
  const { eraseAt } = account;
  const day = new Date(eraseAt ?? now.getTime() + ERASE_AFTER_MS);
  const ofPlan = sayPlanAtLeaving(planAtLeavingOf(account, day), formatDay);
  const plan = ofPlan === null ? null : html`<p>${ofPlan}</p>`;
  return eraseAt === null
    ? html`<p>When you delete your account, everything is erased after 30 days. Until then you can think again.</p>
        ${plan} ${button({ act: ACCOUNT_ACTS.requestDeletion, token, label: 'Delete my account', isSecond: true })}`
    : html`<p>Your account will be erased on ${formatDay(day)}.</p>
        ${plan} ${button({ act: ACCOUNT_ACTS.withdrawDeletion, token, label: 'Keep my account' })}`;
}
