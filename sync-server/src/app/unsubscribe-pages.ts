/** The pages behind the link in a reminder: opening it does nothing, since scanners open every link; its button does. */
import { UNSUBSCRIBE_PATH } from '../mail/index.ts';
import { html } from './html.ts';
import { page } from './web-layout.ts';

export const askPage = (token: string): string =>
  page(
    'Stop the reminders?',
    html`<p>We will not remind you of anything by e-mail any more. Codes to sign in and receipts still come.</p>
      <form method="post" action="${UNSUBSCRIBE_PATH}?token=${token}"><button>Stop the reminders</button></form>`,
  );

export const donePage = (): string =>
  page(
    'You get no more reminders',
    html`<p>It holds for all your devices. You can turn them on again in Parley’s settings.</p>`,
  );

export const brokenLinkPage = (): string =>
  page(
    'This link is not complete',
    html`<p>
      Some mail programs break long links. Open it from the e-mail again, or turn reminders off in Parley’s settings.
    </p>`,
  );
