/** Checks what the public site promises to readers and CDNs: nothing from elsewhere, no needless cookie, compressed pages with tags. */
import type { Site } from './site-pages.ts';

export interface TrustReport {
  wrong: string[];
  /** Pages that a CDN may keep; the others hold a form or an account. */
  publicPages: number;
}

export async function checkTrust(
  { origin, browser, pages: openedPages }: Site,
  pages: ReadonlyMap<string, string>,
): Promise<TrustReport> {
  const wrong: string[] = [];
  let publicPages = 0;
  for (const path of pages.keys()) {
    const answer = await ask(origin + path);
    const header = (name: string): string => answer.headers.get(name) ?? '';
    const policy = header('content-security-policy');
    if (policy === '' || policy.includes('unsafe-')) wrong.push(`${path}: allows inline code`);
    if (header('cache-control').includes('no-store')) continue;
    publicPages += 1;
    if (!header('cache-control').startsWith('public')) wrong.push(`${path}: a CDN cannot keep it`);
    if (header('set-cookie') !== '') wrong.push(`${path}: sets a cookie`);
    if (header('content-encoding') !== 'br') wrong.push(`${path}: is not compressed`);
    const again = await ask(origin + path, { 'if-none-match': header('etag') });
    if (again.status !== 304) wrong.push(`${path}: is sent again although it has not changed`);
  }
  wrong.push(...(await findForeignRequests(browser, origin, openedPages)));
  const security = await (await fetch(`${origin}/.well-known/security.txt`)).text();
  if (!/^Contact: .+\nExpires: 2/.test(security)) wrong.push('security.txt: names no contact');
  return { wrong, publicPages };
}

async function ask(address: string, headers: Record<string, string> = {}): Promise<Response> {
  const answer = await fetch(address, { headers: { accept: 'text/html', 'accept-encoding': 'br', ...headers } });
  await answer.arrayBuffer();
  return answer;
}

/** Opens each page to its end, so that its lazy pictures are loaded too. */
async function findForeignRequests(
  browser: Site['browser'],
  origin: string,
  pages: readonly string[],
): Promise<string[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) wrong.push(`${page.url()}: loads ${request.url()}`);
  });
  page.on('requestfailed', (request) => wrong.push(`${page.url()}: could not load ${request.url()}`));
  for (const address of pages) {
    await page.goto(address);
    await page.mouse.wheel(0, 100_000);
    await page.waitForLoadState('networkidle');
  }
  if ((await context.cookies()).length > 0) wrong.push('reading sets a cookie');
  await context.close();
  return wrong;
}
