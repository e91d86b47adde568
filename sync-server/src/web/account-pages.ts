/** Renders the sign-in and account pages, which work without scripts. */
import type { PageLocalizer } from './page-language.ts';
import {
  type AccountView,
  ADMIN_PANEL_PATH,
  planAtDeletionOf,
  type PlanWords,
  describePlanWithoutAccess,
} from '@parley/contract';
import { DELETION_DELAY_MS, describePlanAtDeletion } from '@parley/domain';

import { type Html, html } from './html.ts';
import { page, type ServerPage } from './layout.ts';

export const SIGN_IN_PATH = '/sign-in';
export const REQUEST_PATH = '/sign-in/request';
export const ACCOUNT_PATH = '/account';
export const PLANS_PATH = '/plans';
export const EXPORT_PATHS = { json: '/account/export.json', zip: '/account/export.zip' } as const;
/** All of these are POST routes. */
export const ACCOUNT_ACTIONS = {
  signOut: '/account/sign-out',
  signOutEverywhere: '/account/sign-out-everywhere',
  requestAccess: '/account/request-access',
  requestDeletion: '/account/request-deletion',
  withdrawDeletion: '/account/withdraw-deletion',
} as const;

interface Button {
  actionUrl: string;
  token: string;
  label: string;
  isSecond?: boolean;
  /** Additional hidden fields. */
  fields?: Record<string, string>;
}

export const button = ({ actionUrl, token, label, isSecond = false, fields = {} }: Button): Html =>
  html`<form method="post" action="${actionUrl}">
    <input type="hidden" name="token" value="${token}" />${Object.entries(fields).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    )}<button class="${isSecond ? 'second' : 'first'}">${label}</button>
  </form>`;

const openParley = ({ t }: PageLocalizer, href: string): Html =>
  html`<p><a class="button" href="${href}">${t('Open Parley')}</a></p>`;

const downloadLink = ({ t }: PageLocalizer): Html => html`<a href="/downloads">${t('Download Parley')}</a>`;

const dayOf = ({ formatDay, timeZone }: PageLocalizer, iso: string): string => formatDay(new Date(iso), timeZone);

/** Formats the texts and dates that describe a plan. */
export const planWords = (localizer: PageLocalizer): PlanWords => ({
  t: localizer.t,
  formatDay: (iso) => dayOf(localizer, iso),
});

/** Opening the link of an e-mail changes nothing, because scanners open every link and the e-mail may have been forwarded. */
export function linkPage(
  localizer: PageLocalizer,
  { email, link, token }: { email: string; link: string; token: string },
): ServerPage {
  const { t } = localizer;
  return page(
    localizer,
    t('Sign in as {email}?', { email }),
    html` <p>${t('If Parley is installed on this computer, sign in there:')}</p>
      ${openParley(localizer, `parley://sign-in?link=${link}`)}
      <p>
        ${t('If it isn’t, install it and connect it to this server, and then open the link in the e-mail again.')}
        ${downloadLink(localizer)}
      </p>
      <p>${t('You can also see your account here:')}</p>
      <form method="post" action="${SIGN_IN_PATH}">
        <input type="hidden" name="token" value="${token}" /><input type="hidden" name="link" value="${link}" />
        <button class="second">${t('Sign in with this browser')}</button>
      </form>
      <p>
        ${t('The link works once. If this isn’t your address, or you didn’t ask for the link, close this page: nothing has changed.')}
      </p>`,
  );
}

export function usedLinkPage(localizer: PageLocalizer, { token }: { token: string }): ServerPage {
  const { t } = localizer;
  return page(
    localizer,
    t('This link no longer works'),
    html`<p>
        ${t('It was already used, or it has expired. A code in the same e-mail no longer works either. We can send you a new link.')}
      </p>
      ${addressForm(localizer, token)}`,
  );
}

export function addressPage(localizer: PageLocalizer, { token }: { token: string }): ServerPage {
  const { t } = localizer;
  return page(
    localizer,
    t('Sign in to Parley'),
    html`<p>${t('We’ll send you an e-mail with a link. You don’t need a password.')}</p>
      ${addressForm(localizer, token)}`,
  );
}

const addressForm = ({ t }: PageLocalizer, token: string): Html =>
  html` <form method="post" action="${REQUEST_PATH}">
    <input type="hidden" name="token" value="${token}" />
    <label for="email">${t('Your e-mail address')}</label>
    <input id="email" name="email" type="email" autocomplete="email" required maxlength="320" />
    <button>${t('Send me a link')}</button>
  </form>`;

/** This page is the same for every address, so it does not reveal which addresses have accounts. */
export function sentPage(
  localizer: PageLocalizer,
  { isNetworkLimited, isMailWritten }: { isNetworkLimited: boolean; isMailWritten: boolean },
): ServerPage {
  const { t } = localizer;
  if (isMailWritten)
    return page(
      localizer,
      t('Sign in'),
      html`<p>
        ${t(
          'This server sends no e-mail. The message with your link is a file on the server: ask the person who runs it for the link.',
        )}
      </p>`,
    );
  return page(
    localizer,
    t('Check your e-mail'),
    html`<p>
        ${t('If the address is right, an e-mail with a link is on its way. The link works once, for 15 minutes.')}
      </p>
      ${isNetworkLimited ? html`<p>${networkLimitNotice(localizer)}</p>` : null}
      <p>${t('Nothing after a few minutes? Look in your spam folder, or ask for another link.')}</p>
      <p><a href="${SIGN_IN_PATH}">${t('Ask for another link')}</a></p>`,
  );
}

export const networkLimitNotice = ({ t }: Pick<PageLocalizer, 't'>): string =>
  t(
    'Many sign-in e-mails have been requested from your network, so addresses that are new here get none at the moment. If you have no account yet, try again later or from another network, or ask your school to invite you.',
  );

/** The page at the root, which e-mails link to. */
export function errorPage(localizer: PageLocalizer, sentence: string): ServerPage {
  const { t } = localizer;
  return page(
    localizer,
    t('That didn’t work'),
    html`<p>${sentence}</p>
      <p><a href="${ACCOUNT_PATH}">${t('Go to your account')}</a></p>`,
  );
}

export function accountPage(
  localizer: PageLocalizer,
  { account, token, now }: { account: AccountView; token: string; now: Date },
): ServerPage {
  const { t } = localizer;
  return page(
    localizer,
    titleOf(localizer, account),
    html` <p>${t('You’re signed in as {email}.', { email: account.email ?? '' })}</p>
      ${account.isAdmin ? html`<p><a href="${ADMIN_PANEL_PATH}">${t('Open the admin panel')}</a></p>` : null}
      ${accessSection(localizer, account, token)}
      <p><a href="${PLANS_PATH}">${t('See your plan, and the others')}</a></p>
      <h2>${t('Your data')}</h2>
      <p>
        ${t('Download everything this server stores about you. If you keep your recordings here, the copies are in the ZIP file.')}
      </p>
      <ul>
        <li><a href="${EXPORT_PATHS.json}" download>${t('Download one JSON file')}</a></li>
        <li><a href="${EXPORT_PATHS.zip}" download>${t('Download tables for a spreadsheet')}</a></li>
      </ul>
      ${deletionSection(localizer, account, { token, now })}
      <h2>${t('Sign out')}</h2>
      ${button({ actionUrl: ACCOUNT_ACTIONS.signOut, token, label: t('Sign out of this browser'), isSecond: true })}
      ${button({ actionUrl: ACCOUNT_ACTIONS.signOutEverywhere, token, label: t('Sign out everywhere'), isSecond: true })}
      <p>${t('“Everywhere” means all your browsers and devices. The work on each device stays there.')}</p>`,
  );
}

function accessSection(localizer: PageLocalizer, account: AccountView, token: string): Html {
  if (account.hasAccess)
    return html`${openParley(localizer, 'parley://open')}
      <p>${downloadLink(localizer)}</p>`;
  const ofPlan = describePlanWithoutAccess(account, planWords(localizer));
  return html`${account.accessTaken === null ? waiting(localizer, account, token) : revoked(localizer, account.accessTaken, token)}
  ${ofPlan === null ? null : html`<p>${ofPlan}</p>`}`;
}

function titleOf({ t }: PageLocalizer, { hasAccess, accessTaken, waitingSince }: AccountView): string {
  if (hasAccess) return t('Your account');
  if (accessTaken !== null) return t('You have no access');
  return waitingSince === null ? t('You don’t have access yet') : t('We’ve got your request');
}

export const noAccessReason = (localizer: PageLocalizer, taken: AccountView['accessTaken']): string =>
  taken === null
    ? localizer.t('The people who run this server approve learners one by one.')
    : localizer.t('Your access to this server ended on {day}.', { day: dayOf(localizer, taken.at) });

function revoked(localizer: PageLocalizer, taken: NonNullable<AccountView['accessTaken']>, token: string): Html {
  const { t } = localizer;
  const label = t('Ask for access again');
  return html`<p>${noAccessReason(localizer, taken)}</p>
    ${taken.reason === null ? null : html`<p>${t('The reason given: “{reason}”.', { reason: taken.reason })}</p>`}
    <p>
      ${t('Everything you practised is still yours, on your computer and here. You can go on practising with the guided coach on your computer.')}
    </p>
    ${button({ actionUrl: ACCOUNT_ACTIONS.requestAccess, token, label, isSecond: true })}`;
}

function waiting(localizer: PageLocalizer, { waitingSince, email }: AccountView, token: string): Html {
  const { t } = localizer;
  if (waitingSince === null)
    return html`<p>${noAccessReason(localizer, null)}</p>
      <p>${t('Ask for access, and the people who run this server will look at your request.')}</p>
      ${button({ actionUrl: ACCOUNT_ACTIONS.requestAccess, token, label: t('Ask for access') })}`;
  return html`<p>${t('You asked for access on {day}.', { day: dayOf(localizer, waitingSince) })}</p>
    <h2>${t('What happens next')}</h2>
    <p>
      ${t('The people who run this server look at every request. When yours is approved, we’ll send a link to {email}. You don’t have to do anything.', { email: email ?? '' })}
    </p>
    <p>
      ${t('Until then, you can practise with the guided coach on your computer. Nothing you practise is lost: it stays on your computer, and here.')}
    </p>`;
}

function deletionSection(
  localizer: PageLocalizer,
  account: AccountView,
  { token, now }: { token: string; now: Date },
): Html {
  const { t, formatDay, timeZone } = localizer;
  const { eraseAt } = account;
  const day = new Date(eraseAt ?? now.getTime() + DELETION_DELAY_MS);
  const ofPlan = describePlanAtDeletion(planAtDeletionOf(account, day), {
    t,
    formatDay: (at) => formatDay(at, timeZone),
  });
  const plan = ofPlan === null ? null : html`<p>${ofPlan}</p>`;
  return eraseAt === null
    ? html`<p>
          ${t('If you delete your account, everything in it is erased after 30 days. You can change your mind until then.')}
        </p>
        ${plan}
        ${button({ actionUrl: ACCOUNT_ACTIONS.requestDeletion, token, label: t('Delete my account'), isSecond: true })}`
    : html`<p>${t('Your account will be erased on {day}.', { day: formatDay(day, timeZone) })}</p>
        ${plan} ${button({ actionUrl: ACCOUNT_ACTIONS.withdrawDeletion, token, label: t('Keep my account') })}`;
}
