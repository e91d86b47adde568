/** An admin's actions that every screen of the panel has. */
import type { Locator, Page } from 'playwright';

export const field = (page: Page, label: string): Locator => page.getByLabel(label, { exact: true });

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** Reports what the page shows instead, because a timeout alone explains nothing. */
export async function readStatus(page: Page, text: string): Promise<void> {
  await page
    .getByRole('status')
    .filter({ hasText: text })
    .waitFor()
    .catch(async (cause: unknown) => {
      const shown = (await page.getByRole('main').innerText()).replaceAll(/\s+/g, ' ');
      throw new Error(`no status "${text}", but: ${shown.slice(0, 1_000)}`, { cause });
    });
}

/** Waits for the editor, because the list that it replaces has a field with the label "Title" too. */
export async function openNew(page: Page, name: string): Promise<void> {
  await press(page, name);
  await page.getByRole('button', { name: 'Publish', exact: true }).waitFor();
}

export async function publish(page: Page): Promise<void> {
  await press(page, 'Publish');
  await readStatus(page, 'Published.');
}

export async function withdraw(page: Page): Promise<void> {
  await press(page, 'Withdraw');
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await readStatus(page, 'Withdrawn.');
}

/** Saved for people to look at if PARLEY_PICTURES names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['PARLEY_PICTURES'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}
