/** The page behind the link in a reminder: opening it does nothing, since scanners open every link; its button does. */
import { UNSUBSCRIBE_PATH } from './unsubscribe.ts';

/** No script, no picture, nothing from anywhere else. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

/** `token` has been read, so that it holds nothing that HTML could mistake. */
export const askPage = (token: string): string =>
  page(
    'Stop the reminders?',
    `<p>We will not remind you of anything by e-mail any more. Codes to sign in and receipts still come.</p>
    <form method="post" action="${UNSUBSCRIBE_PATH}?token=${token}"><button>Stop the reminders</button></form>`,
  );

export const donePage = (): string =>
  page(
    'You get no more reminders',
    '<p>It holds for all your devices. You can turn them on again in Parley’s settings.</p>',
  );

export const brokenLinkPage = (): string =>
  page(
    'This link is not complete',
    '<p>Some mail programs break long links. Open it from the e-mail again, or turn reminders off in Parley’s settings.</p>',
  );

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · Parley</title>
    <style>
      :root { color-scheme: light dark; --page: #f7f7f5; --card: #fff; --line: #dfddd8; --ink: #1c1b19; --quiet: #5b5852; --accent: #4353c9; --on: #fff; }
      @media (prefers-color-scheme: dark) {
        :root { --page: #121211; --card: #1c1b19; --line: #383632; --ink: #f1f0ed; --quiet: #b5b2ab; --accent: #8491ea; --on: #14172b; }
      }
      body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
      main { box-sizing: border-box; width: min(480px, 100vw - 32px); padding: 32px; background: var(--card); border: 1px solid var(--line); border-radius: 14px; }
      h1 { margin: 0 0 12px; font-size: 24px; line-height: 1.25; }
      p { margin: 0 0 20px; color: var(--quiet); }
      p:last-child { margin: 0; }
      button { padding: 13px 24px; border: 0; border-radius: 8px; background: var(--accent); color: var(--on); font: 600 16px system-ui, sans-serif; cursor: pointer; }
      button:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; }
    </style>
  </head>
  <body><main><h1>${title}</h1>${body}</main></body>
</html>
`;
