/** The content of a briefing, that the learner's choices there are remembered in the next one, and a link to no session. */
import { expect, it } from 'vitest';
import { setUpDevice } from '../../app/set-up-device.ts';

const device = setUpDevice(null);

it('gives advice, and remembers the difficulty for the next practice', { tags: ['slow'] }, async () => {
  const page = await device.open();
  await page.getByRole('link', { name: 'Practise' }).click();
  await page.getByRole('link', { name: /Give a stand-up update/ }).click();
  await page.getByText('Say three things in three short sentences').waitFor();
  await page.getByText('Hard', { exact: true }).click();
  await page.getByRole('link', { name: 'Practise' }).click();
  await page.getByRole('link', { name: /Give a stand-up update/ }).click();
  await expect.poll(() => page.getByRole('radio', { name: 'Hard' }).isChecked()).toBe(true);
});

it('says inside the margins that a session is not on this device', { tags: ['slow'] }, async () => {
  const page = await device.open();
  const address = new URL(page.url());
  address.hash = '#/session/019aa000-0000-7000-8000-000000000001';
  await page.goto(address.href);
  const notice = page.getByText('This session isn’t on this device.');
  await notice.waitFor();
  const heading = await page.getByRole('heading', { name: 'Conversation' }).boundingBox();
  const box = await notice.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(heading?.x ?? Infinity);
  expect(box?.y).toBeLessThan((heading?.y ?? 0) + 150);
});
