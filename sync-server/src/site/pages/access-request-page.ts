/** Lets a visitor request access with an address. The response is the same for every address. */
import { networkLimitNotice } from '../../web/account-pages.ts';
import { html } from '../../web/html.ts';
import type { SitePage } from './site-layout.ts';
import type { SiteWords } from './site-words.ts';

export const ACCESS_REQUEST_PATH = '/request-access';
/** A honeypot field: people do not see it, and bots fill it in. */
export const TRAP_FIELD = 'website';

export function accessRequestPage({ t, linkTo }: SiteWords, token: string): SitePage {
  return {
    title: t('Ask for access'),
    description: t('Ask this school for access to its coaches.'),
    path: ACCESS_REQUEST_PATH,
    body: html`<div class="hero">
      <h1>${t('Ask for access')}</h1>
      <p class="lead">
        ${t('We’ll send a link to your address. Open it and choose “Ask for access”. The school decides, and we’ll tell you by e-mail.')}
      </p>
      <form method="post" action="${linkTo(ACCESS_REQUEST_PATH)}">
        <input type="hidden" name="token" value="${token}" />
        <p class="trap" aria-hidden="true">
          <label for="website">${t('Leave this empty')}</label>
          <input id="website" name="${TRAP_FIELD}" tabindex="-1" autocomplete="off" />
        </p>
        <label for="email">${t('Your e-mail address')}</label>
        <input id="email" name="email" type="email" autocomplete="email" required maxlength="254" />
        <button class="button" type="submit">${t('Send me a link')}</button>
      </form>
    </div>`,
  };
}

export function accessRequestedPage(
  { t, linkTo }: SiteWords,
  { isNetworkLimited }: { isNetworkLimited: boolean },
): SitePage {
  return {
    title: t('Check your e-mail'),
    description: t('Your link is on its way.'),
    path: ACCESS_REQUEST_PATH,
    isIndexed: false,
    body: html`<div class="hero">
      <h1>${t('Check your e-mail')}</h1>
      <p class="lead">
        ${t('If the address is right, an e-mail with a link is on its way. The link works once, for 15 minutes.')}
      </p>
      ${isNetworkLimited ? html`<p>${networkLimitNotice({ t })}</p>` : null}
      <p class="actions"><a class="button second" href="${linkTo('/')}">${t('Go to the home page')}</a></p>
    </div>`,
  };
}
