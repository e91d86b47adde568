/** Renders the frame of all server pages, whose policy forbids scripts and anything from other origins. */
import { createHash } from 'node:crypto';
import type { Localizer } from '@parley/i18n';
import type { SchoolIdentity } from '@parley/domain';
import type { FastifyReply } from 'fastify';
import { brandMark, brandStyleLink } from './brand.ts';
import { Html, html } from './html.ts';
import { PRELOADED_TYPEFACES, TYPEFACE_STYLE } from './typefaces.ts';

/** The values of packages/ui/src/tokens.css. The style is part of the page, because its policy loads only typefaces. */
export const PAGE_STYLE = `
${TYPEFACE_STYLE}
:root { color-scheme: light dark; --page-bg: #fbfaf7; --surface: #fff; --line: #e5e2da; --line-strong: #7c776c; --text: #1c1a17; --text-2: #646056; --you: #2f49c9; --focus: #2f49c9; }
@media (prefers-color-scheme: dark) { :root { --page-bg: #16181c; --surface: #1e2025; --line: #2a2d33; --line-strong: #858a94; --text: #eceae4; --text-2: #a9adb5; --you: #8ea1f6; --focus: #a7b6fb; } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--page-bg); color: var(--text); font: 400 15px/1.47 'Source Sans 3 Variable', 'Noto Sans', 'Segoe UI', 'PingFang SC', 'Hiragino Sans', system-ui, sans-serif; }
:is(:lang(zh), :lang(ja), :lang(ar)) { line-height: 1.6; }
main { box-sizing: border-box; width: min(480px, 100vw - 32px); margin: 48px 0; overflow-wrap: anywhere; }
.mark { display: flex; align-items: center; gap: 10px; margin: 0 0 32px; color: var(--text); font: 600 19px/1 'Literata Variable', 'Noto Serif', Georgia, serif; }
.mark svg { stroke: var(--brand, var(--you)); }
.logo { flex: none; }
@media (prefers-color-scheme: dark) { .logo { padding: 2px; border-radius: 4px; background: #fbfaf7; } }
h1 { margin: 0 0 12px; font: 400 26px/1.42 'Literata Variable', 'Noto Serif', 'Songti SC', 'Yu Mincho', 'Noto Naskh Arabic', Georgia, serif; letter-spacing: -0.005em; }
h2 { margin: 28px 0 8px; font-size: 17px; font-weight: 600; line-height: 1.4; }
p { margin: 0 0 16px; color: var(--text-2); }
p:last-child { margin-bottom: 0; }
ul { margin: 0 0 16px; padding-inline-start: 1.25em; }
li { padding-block: 3px; }
form { margin: 0 0 12px; }
label { display: block; margin: 0 0 6px; font-weight: 600; }
input { box-sizing: border-box; width: 100%; min-height: 44px; margin: 0 0 12px; padding: 0 12px; border: 1px solid var(--line-strong); border-radius: 6px; background: var(--surface); color: var(--text); font: inherit; }
button, .button { display: inline-flex; align-items: center; box-sizing: border-box; min-height: 44px; padding: 0 22px; border: 1px solid transparent; border-radius: 6px; background: var(--brand, var(--text)); color: var(--page-bg); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
.second { border-color: var(--line-strong); background: transparent; color: var(--text); }
a { color: inherit; font-weight: 600; text-decoration: underline 1px; text-decoration-color: var(--line-strong); text-underline-offset: 0.22em; }
a.button { text-decoration: none; }
a.button:not(.second) { color: var(--page-bg); }
:is(button, a, input):focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
@media (forced-colors: active) { button, .button { border-color: ButtonText; } }
`;

/** The policy's hash must cover the exact text between the tags. */
const STYLE_ELEMENT = new Html(`<style>${PAGE_STYLE}</style>`);
export const STYLE_HASH = `sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}`;

/**
 * The policy of every response is in http/server/security-headers.ts. A page with the school's colour or logo may load
 * those two as well.
 */
const BRANDED_POLICY = [
  "default-src 'none'",
  `style-src '${STYLE_HASH}' 'self'`,
  "font-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const WEB_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
};

declare module 'fastify' {
  interface FastifyInstance {
    /** The school's identity for the pages. It never rejects. */
    readSchool: () => Promise<SchoolIdentity>;
  }
}

export interface ServerPage {
  localizer: Localizer;
  title: string;
  body: Html;
}

export const page = (localizer: Localizer, title: string, body: Html): ServerPage => ({ localizer, title, body });

export function renderPage(
  { localizer: { language, direction }, title, body }: ServerPage,
  school: SchoolIdentity,
): string {
  return html`<!doctype html>
    <html lang="${language}" dir="${direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title === school.name ? title : `${title} · ${school.name}`}</title>
        ${PRELOADED_TYPEFACES.map((path) => html`<link rel="preload" href="${path}" as="font" type="font/woff2" crossorigin="" />`)}
        ${STYLE_ELEMENT} ${brandStyleLink(school)}
      </head>
      <body>
        <main>
          <p class="mark">${brandMark(school)} ${school.name}</p>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `.text;
}

export async function showPage(reply: FastifyReply, shown: ServerPage, status = 200): Promise<FastifyReply> {
  const school = await reply.server.readSchool();
  const isBranded = school.colour !== null || school.logo !== null;
  return reply
    .status(status)
    .headers({ ...WEB_HEADERS, ...(isBranded ? { 'content-security-policy': BRANDED_POLICY } : {}) })
    .send(renderPage(shown, school));
}
