/** Renders the unsubscribe pages. Opening the link changes nothing, because scanners open every link; its button does. */
import type { Localizer } from '@parley/i18n';
import { UNSUBSCRIBE_PATH, UPGRADE_DISMISSAL_PATH } from '../mail/index.ts';
import { html } from './html.ts';
import { page, type ServerPage } from './layout.ts';

export function unsubscribePage(localizer: Localizer, token: string): ServerPage {
  const { t } = localizer;
  return page(
    localizer,
    t('Stop the reminders?'),
    html`<p>${t('We’ll stop sending you reminders by e-mail. You’ll still get codes to sign in, and receipts.')}</p>
      <form method="post" action="${UNSUBSCRIBE_PATH}?token=${token}">
        <button>${t('Stop the reminders')}</button>
      </form>`,
  );
}

export function unsubscribedPage(localizer: Localizer): ServerPage {
  const { t } = localizer;
  return page(
    localizer,
    t('Reminders are off'),
    html`<p>${t('This applies to all your devices. You can turn reminders on again in Parley’s settings.')}</p>`,
  );
}

export function dismissUpgradePage(localizer: Localizer, token: string): ServerPage {
  const { t } = localizer;
  return page(
    localizer,
    t('Stop reminders about plans?'),
    html`<p>
        ${t('We won’t remind you about plans again when your minutes run short. Other reminders continue as before.')}
      </p>
      <form method="post" action="${UPGRADE_DISMISSAL_PATH}?token=${token}">
        <button>${t('Stop reminders about plans')}</button>
      </form>`,
  );
}

export function upgradeDismissedPage(localizer: Localizer): ServerPage {
  const { t } = localizer;
  return page(
    localizer,
    t('No more reminders about plans'),
    html`<p>${t('You can see the plans and your minutes in Parley at any time.')}</p>`,
  );
}

export function brokenLinkPage(localizer: Localizer): ServerPage {
  const { t } = localizer;
  return page(
    localizer,
    t('This link isn’t complete'),
    html`<p>
      ${t('Some e-mail apps break long links. Open the link from the e-mail again, or turn reminders off in Parley’s settings.')}
    </p>`,
  );
}
