/** Review in a real browser, offline: a word goes wrong, comes back, is reviewed, and comes back a month later. */
import { padWav, synthesise } from '@parley/test-kit';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { expectAccessible } from './app/expect-accessible.ts';
import { createDevice, DEAD_SERVER, type Device } from './app/device.ts';

const WORD = 'month';
/** The last sound is a t instead of a th. */
const spokenBadly = synthesise('munt');
const spokenWell = synthesise(WORD);
const canRun = spokenBadly !== null && spokenWell !== null;
if (!canRun) console.warn('skipped: espeak-ng is not installed, so no voice can say the word');

const DAY_MS = 86_400_000;

let offsetMs = 0;
let device: Device;
beforeAll(async () => {
  device = await createDevice({ clock: { now: () => new Date(Date.now() + offsetMs) } });
  await device.start(DEAD_SERVER);
});
afterAll(() => device.remove());

const goTo = (page: Page, hash: string): Promise<unknown> => page.goto(`${page.url().split('#')[0]}#${hash}`);

async function openWith(microphone: Buffer, hash: string): Promise<Page> {
  const page = await device.open({ microphone: padWav(microphone, { beforeMs: 700, afterMs: 6_000 }) });
  await goTo(page, hash);
  return page;
}

/** Says the word of the first card by keyboard alone, and takes the suggested grade. */
async function reviewOneWord(microphone: Buffer): Promise<Page> {
  const page = await openWith(microphone, '/review');
  await page.getByRole('button', { name: /^Review (one word|\d+ words)$/ }).press('Enter');
  await page.getByRole('heading', { name: WORD, exact: true }).waitFor();
  await page.keyboard.press('Space');
  await page.getByText('Recording').waitFor();
  await page.waitForTimeout(2_500);
  await page.keyboard.press('Space');
  await page.getByText('Just now').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Every word was clear.' }).waitFor();
  return page;
}

describe('a mispronounced word', () => {
  it.skipIf(!canRun)('comes back today and a month later, and is then clear', async () => {
    if (spokenBadly === null || spokenWell === null) return;
    const drill = await openWith(spokenBadly, `/drills/say?text=${encodeURIComponent(JSON.stringify(WORD))}`);
    await drill.getByRole('button', { name: 'Speak', exact: true }).click();
    await drill.getByText('Recording').waitFor();
    await drill.waitForTimeout(2_500);
    await drill.getByRole('button', { name: 'Stop and see your score' }).click();
    await drill.getByRole('img', { name: /^Pronunciation: \d+ of 100$/ }).waitFor();

    await drill.getByRole('link', { name: 'Today', exact: true }).click();
    await drill.getByRole('button', { name: 'Review', exact: true }).click();
    await drill.getByRole('region', { name: 'Due today' }).getByText(WORD).waitFor();
    await expectAccessible(drill);

    await reviewOneWord(spokenWell);
    offsetMs += 30 * DAY_MS;
    const page = await reviewOneWord(spokenWell);
    await page.getByRole('button', { name: 'Done' }).click();
    const word = page.getByRole('list', { name: 'Your words' }).getByRole('listitem').filter({ hasText: WORD });
    await word.getByText('Clear on two days').waitFor();
  });
});
