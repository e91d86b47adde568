/**
 * `npm run screenshots:mail -- FOLDER [--dark] [--width N] [--language TAG]`: renders each e-mail and the unsubscribe pages for a visual
 * review. Mail clients support less than this browser, so a correct picture here does not prove that every client shows it.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { REMINDER_KINDS, UNNAMED_SCHOOL } from '@parley/domain';
import { chromium } from 'playwright';
import { findBrowser } from '../desktop/src/shell/browser/index.ts';
import { localizerFor } from '../sync-server/src/localization/index.ts';
import { renderPage } from '../sync-server/src/web/layout.ts';
import { unsubscribePage, unsubscribedPage } from '../sync-server/src/web/unsubscribe-pages.ts';
import { previewMail, SAMPLE_MAILS } from '../sync-server/src/mail/index.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dark: { type: 'boolean', default: false },
    width: { type: 'string', default: '680' },
    language: { type: 'string', default: 'en' },
  },
});
const [folder = '.cache/mail-screenshots'] = positionals;
await mkdir(folder, { recursive: true });

const localizer = localizerFor(values.language);
const origin = 'https://parley.example';
const unsubscribeLink = `${origin}/unsubscribe?token=sample`;
const pages: { name: string; html: string }[] = [
  { name: 'unsubscribe', html: renderPage(unsubscribePage(localizer, 'sample'), UNNAMED_SCHOOL) },
  { name: 'unsubscribed', html: renderPage(unsubscribedPage(localizer), UNNAMED_SCHOOL) },
];
for (const { kind, step } of SAMPLE_MAILS) {
  const isReminder = REMINDER_KINDS.some((each) => each === kind);
  const { html } = await previewMail(kind, step, {
    origin,
    unsubscribeUrl: isReminder ? unsubscribeLink : null,
    school: UNNAMED_SCHOOL,
    localizer,
  });
  pages.push({ name: `${kind}-${step}`.replaceAll('_', '-'), html });
}

const executablePath = findBrowser({ platform: process.platform, environment: process.env });
if (executablePath === null) throw new Error('No Chromium was found: install one, or set PARLEY_BROWSER.');
const browser = await chromium.launch({
  executablePath,
  args: ['--disable-background-networking', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
});
const context = await browser.newContext({
  colorScheme: values.dark ? 'dark' : 'light',
  viewport: { width: Number(values.width), height: 400 },
});
const page = await context.newPage();
for (const { name, html } of pages) {
  await page.setContent(html);
  const isTooWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
  if (isTooWide === true) console.warn(`${name} is wider than ${values.width} px`);
  await page.screenshot({ path: join(folder, `mail-${name}${values.dark ? '-dark' : ''}.png`), fullPage: true });
}
await browser.close();
