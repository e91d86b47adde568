/** The microphone check, in a real Chromium. */
import { expect, it } from 'vitest';
import { setUpDevice } from '../../app/set-up-device.ts';
import { simulateUnplugging } from '../../steps/simulate-unplugging.ts';

const device = setUpDevice(null);

it('promises nothing about a recording that unplugging interrupts, and starts a new one', async () => {
  const page = await device.open();
  await page.addInitScript(simulateUnplugging);
  await page.goto(`${page.url().split('#')[0]}#/microphone`);
  await page.reload();
  const record = page.getByRole('button', { name: 'Record 3 seconds' });
  await record.click();
  await page.getByText(/^Recording… /).waitFor();
  await page.evaluate(() => window.dispatchEvent(new Event('unplug')));
  await page.getByRole('alert').filter({ hasText: 'microphone' }).waitFor();
  expect(await page.getByText('is kept').count()).toBe(0);
  await page.evaluate(() => window.dispatchEvent(new Event('plug')));
  await page.getByRole('button', { name: 'Try again' }).click();
  await record.waitFor();
  expect(await page.getByText(/^Recording… /).count()).toBe(0);
});

it('leaves a screen reader silent while it records, and then announces the verdict', async () => {
  const page = await device.open();
  await page.goto(`${page.url().split('#')[0]}#/microphone`);
  await page.getByRole('button', { name: 'Record 3 seconds' }).click();
  await page.getByText(/^Recording… /).waitFor();
  expect(await page.getByRole('status').filter({ hasText: 'Recording' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Record again' }).waitFor();
  await page
    .getByRole('status')
    .filter({ hasText: /^(That sounds good|There’s background noise|You’re|We couldn’t hear)/ })
    .waitFor();
});

it('starts no recording by itself after the microphone could not be opened', async () => {
  const page = await device.open();
  await page.addInitScript(rejectOnceAfterAWhile);
  await page.goto(`${page.url().split('#')[0]}#/microphone`);
  await page.reload();
  await page.getByRole('button', { name: 'Record 3 seconds' }).click();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Record 3 seconds' }).waitFor();
  expect(await page.getByRole('timer').count()).toBe(0);
});

/** Runs in the page: the learner takes a second to refuse the microphone, and then allows it. */
function rejectOnceAfterAWhile(): void {
  const media = navigator.mediaDevices;
  const getUserMedia = media.getUserMedia.bind(media);
  media.getUserMedia = async () => {
    media.getUserMedia = getUserMedia;
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    throw new DOMException('refused', 'NotAllowedError');
  };
}
