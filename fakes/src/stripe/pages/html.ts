/** Renders the fake's pages as plain HTML that cannot be mistaken for Stripe's own. */

/** Escaped or literal HTML. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | null | readonly Html[];

export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(
    strings.map((text, index) => text + (index < parts.length ? escapePart(parts[index] ?? null) : '')).join(''),
  );

function escapePart(part: Part): string {
  if (part === null) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return String(part).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

export const renderPage = (title: string, content: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – Stripe fake</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <header>Stripe fake: test mode, no real money</header>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html> `.text;

const STYLE = new Html(`
:root { color-scheme: light dark; --ink: #1c2333; --soft: #5a6478; --paper: #fff; --ground: #f2f4f8; --line: #d6dbe6; --act: #1f4fd8; --warn: #9a1b1b; }
@media (prefers-color-scheme: dark) { :root { --ink: #eef1f8; --soft: #a9b3c7; --paper: #1a2030; --ground: #10141f; --line: #38415a; --act: #8fadff; --warn: #ff9b9b; } }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground); }
header { padding: .6rem 1rem; text-align: center; font-weight: 600; color: #3a2a00; background: #ffd766; }
main { max-width: 34rem; margin: 2rem auto; padding: 1.5rem; background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; }
h1 { margin: 0 0 1rem; font-size: 1.5rem; }
h2 { margin: 2rem 0 .5rem; font-size: 1.1rem; }
.price { margin: 0 0 1rem; font-size: 1.25rem; }
.price strong { font-size: 1.75rem; }
.soft { color: var(--soft); }
.alert { padding: .75rem 1rem; border: 1px solid var(--warn); border-radius: .5rem; color: var(--warn); }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600; }
input, select { width: 100%; padding: .6rem; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--soft); border-radius: .5rem; }
.acts { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1rem; align-items: center; }
button { min-height: 2.75rem; padding: .5rem 1.25rem; font: inherit; font-weight: 600; color: var(--act); background: none; border: 2px solid var(--act); border-radius: .5rem; cursor: pointer; }
button.main { color: var(--paper); background: var(--act); }
a { color: var(--act); }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }
ul { padding-left: 1.25rem; }
`);

export const formatDate = (atS: number): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(atS * 1_000));
