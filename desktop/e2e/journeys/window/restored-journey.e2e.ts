/** A damaged database: until dismissed, a notice tells the learner what replaced it and where the damaged file is. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { createDevice, type Device } from '../../app/device.ts';

let device: Device;
beforeAll(async () => {
  device = await createDevice();
  await device.start(null);
  await device.open();
});
afterAll(() => device.remove());

const NOISE = Buffer.alloc(20_000, 0xa5);

it('reports on every screen that a backup was restored, until the notice is closed', async () => {
  const database = findDatabase(device.dataDir);
  await expect.poll(() => readdirSync(join(database, '../backups'))).toHaveLength(1);
  await device.stop();
  writeFileSync(database, NOISE);

  await device.start(null);
  const page = await device.open();
  const notice = page.getByText('The local database was damaged. Parley restored the backup from');
  await notice.waitFor();
  await page.getByText(join(database, '../damaged')).waitFor();
  await expectAccessible(page);
  await page.reload();
  await notice.waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await notice.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  expect(await notice.count()).toBe(0);
});

it('reports that Parley started with an empty database when no backup is good', async () => {
  const database = findDatabase(device.dataDir);
  await device.stop();
  writeFileSync(database, NOISE);
  const backups = join(database, '../backups');
  for (const backup of readdirSync(backups)) writeFileSync(join(backups, backup), NOISE);

  await device.start(null);
  const page = await device.open();
  await page.getByText('there was no good backup, so Parley started with an empty one').waitFor();
});

function findDatabase(folder: string): string {
  const path = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find(
    (name) => name.endsWith('parley.sqlite') && !name.includes('damaged'),
  );
  if (path === undefined) throw new Error('The device has no database.');
  return join(folder, path);
}
