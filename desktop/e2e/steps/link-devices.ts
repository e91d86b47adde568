/** Steps of linking two devices; each page shows the settings. */
import type { Page } from 'playwright';

/** Asks for a code and leaves it on the screen. */
export async function requestLinkCode(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Link another device' }).click();
  return page.getByText(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/).innerText();
}

export async function joinWithCode(page: Page, code: string): Promise<void> {
  await page.getByRole('button', { name: 'I have a code' }).click();
  await page.getByLabel('Code from the other device').fill(code);
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}
