/** Practising by keyboard alone, in a real Chromium: what a second press does. */
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevice, type Device } from '../../app/device.ts';
import { openWrittenBriefing, startInWriting } from '../../steps/start-in-writing.ts';

let device: Device;
beforeAll(async () => {
  device = await createDevice();
  await device.start(null);
});
afterAll(() => device.remove());

const goTo = (page: Page, hash: string): Promise<unknown> => page.goto(`${page.url().split('#')[0]}#${hash}`);

async function pressEnterOn(control: Locator): Promise<void> {
  await control.focus();
  await control.page().keyboard.press('Enter');
}

/** Presses Enter twice without waiting for the page in between, as a worn key does. */
async function pressEnterTwice(control: Locator): Promise<void> {
  await control.focus();
  const { keyboard } = control.page();
  await Promise.all([keyboard.press('Enter'), keyboard.press('Enter')]);
}

const expectFocusOn = (control: Locator): Promise<void> =>
  expect.poll(() => control.evaluate((element) => element === document.activeElement)).toBe(true);

describe('a second press', () => {
  it('neither starts a second practice nor sends an answer twice', async () => {
    const page = await device.open();
    await openWrittenBriefing(page);
    await pressEnterTwice(page.getByRole('button', { name: 'Start', exact: true }));
    const answer = page.getByLabel('Write your answer');
    await answer.fill('Could you help me, please?');
    await pressEnterTwice(answer);
    await page.getByRole('list', { name: 'Conversation' }).getByRole('listitem').nth(2).waitFor();
    await page.waitForTimeout(500);
    expect(await page.getByRole('list', { name: 'Conversation' }).getByText('written').count()).toBe(1);
    await goTo(page, '/history');
    await page.getByText('1 session', { exact: true }).waitFor();
  });

  it('does not delete a session at once', async () => {
    const page = await device.open();
    await startInWriting(page);
    await page.getByRole('button', { name: 'End the conversation…' }).click();
    await pressEnterOn(page.getByRole('button', { name: 'Delete this session…' }));
    await expectFocusOn(page.getByRole('button', { name: 'Keep it' }));
  });
});
