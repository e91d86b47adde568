/** Uses the public site on a narrow screen without scripts. */
import type { Page } from 'playwright';
import type { Site } from './site-pages.ts';

const WIDTH_PX = 320;
const OTHER_PATHS = ['/downloads', '/privacy', '/terms', '/request-access', '/no-such-page'] as const;

/** Opens each kind of page in each language and sends the form. Returns where text is cut off or missing. */
export async function findNarrowErrors(
  { browser, origin, pages }: Site,
  languages: readonly string[],
): Promise<{ wrong: string[]; pages: number }> {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: WIDTH_PX, height: 640 } });
  const page = await context.newPage();
  const wrong: string[] = [];
  const addresses = [
    ...pages,
    ...OTHER_PATHS.map((path) => origin + path),
    await findTagPage(page, pages.at(-1) ?? ''),
  ];
  for (const address of addresses)
    for (const language of languages) {
      await page.goto(`${address}?lang=${language}`);
      wrong.push(...(await findFaults(page, language)));
    }
  wrong.push(...(await findFormErrors(page, origin)));
  await context.close();
  return { wrong, pages: addresses.length };
}

async function findFaults(page: Page, language: string): Promise<string[]> {
  // Playwright's own evaluation works although the page's scripts do not.
  const seen = await page.evaluate(() => ({
    width: document.documentElement.scrollWidth,
    direction: getComputedStyle(document.documentElement).direction,
    heading: document.querySelector('h1')?.textContent?.trim() ?? '',
  }));
  const where = `${new URL(page.url()).pathname} (${language})`;
  return [
    ...(seen.width > WIDTH_PX ? [`${where} is ${seen.width} px wide`] : []),
    ...(seen.heading === '' ? [`${where} has no heading`] : []),
    ...((language === 'ar') !== (seen.direction === 'rtl') ? [`${where} runs ${seen.direction}`] : []),
  ];
}

/** The tags are below a post. */
async function findTagPage(page: Page, post: string): Promise<string> {
  await page.goto(post);
  const path = await page.locator('a[rel=tag]').first().getAttribute('href');
  return new URL(path ?? '', post).href;
}

/** The answer must not tell which addresses the server knows. */
async function findFormErrors(page: Page, origin: string): Promise<string[]> {
  const answers: string[] = [];
  for (const email of ['first@parley.example', 'first@parley.example', 'second@parley.example']) {
    await page.goto(`${origin}/request-access`);
    await page.getByLabel('Your e-mail address').fill(email);
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByRole('heading', { level: 1, name: 'Check your e-mail' }).waitFor();
    answers.push(await page.getByRole('main').innerText());
  }
  return new Set(answers).size === 1 ? [] : ['/request-access answers one address differently from another'];
}
