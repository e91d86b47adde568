/** What the server's own pages look like, and what browsers may do with them: no script, no picture, nothing from anywhere else. */
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { Html, html } from './html.ts';

const STYLE = `
:root { color-scheme: light dark; --page: #f7f7f5; --card: #fff; --line: #dfddd8; --ink: #1c1b19; --quiet: #5b5852; --accent: #4353c9; --on: #fff; }
@media (prefers-color-scheme: dark) { :root { --page: #121211; --card: #1c1b19; --line: #383632; --ink: #f1f0ed; --quiet: #b5b2ab; --accent: #8491ea; --on: #14172b; } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { box-sizing: border-box; width: min(480px, 100vw - 32px); margin: 32px 0; padding: 32px; background: var(--card); border: 1px solid var(--line); border-radius: 14px; overflow-wrap: anywhere; }
h1 { margin: 0 0 12px; font-size: 24px; line-height: 1.25; }
h2 { margin: 28px 0 8px; font-size: 17px; }
p { margin: 0 0 16px; color: var(--quiet); }
p:last-child { margin-bottom: 0; }
form { margin: 0 0 12px; }
label { display: block; margin: 0 0 6px; font-weight: 600; }
input { box-sizing: border-box; width: 100%; margin: 0 0 12px; padding: 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--page); color: var(--ink); font: inherit; }
button, .button { display: inline-block; box-sizing: border-box; padding: 12px 22px; border: 1px solid var(--accent); border-radius: 8px; background: var(--accent); color: var(--on); font: 600 16px system-ui, sans-serif; text-decoration: none; cursor: pointer; }
.second { background: transparent; color: var(--accent); }
a { color: var(--accent); }
a.button:not(.second) { color: var(--on); }
:is(button, a, input):focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; }
`;

/** To the letter: what browsers compare is all that stands between the tags. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);
const styleHash = createHash('sha256').update(STYLE).digest('base64');

const WEB_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
  'cross-origin-opener-policy': 'same-origin',
};

export const page = (title: string, body: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Parley</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `.text;

export const showPage = (reply: FastifyReply, page: string, status = 200): FastifyReply =>
  reply.status(status).headers(WEB_HEADERS).send(page);
