/** The content of a briefing, and that the learner's choices there are remembered in the next one. */
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
