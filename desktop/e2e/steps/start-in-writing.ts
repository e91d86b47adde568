/** Starts a guided practice in writing, from any screen. */
import type { Page } from 'playwright';

export const GUIDED_PRACTICE = 'Ask a colleague for help';

/** Stops at its briefing, with everything selected. */
export async function openWrittenBriefing(page: Page): Promise<void> {
  await page.goto(`${page.url().split('#')[0]}#/practise`);
  await page.getByRole('link', { name: new RegExp(GUIDED_PRACTICE) }).click();
  await page.getByText('In writing', { exact: true }).click();
}

export async function startInWriting(page: Page): Promise<void> {
  await openWrittenBriefing(page);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByLabel('Write your answer').waitFor();
}
