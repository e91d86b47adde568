/** Takes screenshots of syncing: two devices, no network, and a rejected change. */
import { createFileVault, readCredentials } from '../../src/host/server/index.ts';
import { inDatabase } from '../../src/host/test-kit/read-database.ts';
import type { Page } from 'playwright';
import { createDevice, DEAD_SERVER, type Device } from '../app/device.ts';
import { joinWithCode, requestLinkCode } from '../steps/link-devices.ts';

export interface SyncScreenshotTools {
  device: Device;
  serverUrl: string;
  open: (device: Device) => Promise<Page>;
  takeScreenshot: (page: Page, name: string) => Promise<void>;
}

const UNKNOWN_COACH = '01900000-0000-7000-8000-00000000dead';

const openSettings = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('heading', { name: 'Your devices' }).waitFor();
};

export async function takeSyncScreenshots({
  device,
  serverUrl,
  open,
  takeScreenshot,
}: SyncScreenshotTools): Promise<void> {
  const second = await createDevice();
  try {
    let page = await open(device);
    await openSettings(page);
    const code = await requestLinkCode(page);
    await second.start(serverUrl);
    const other = await open(second);
    await openSettings(other);
    await joinWithCode(other, code);
    await other.getByRole('listitem').filter({ hasText: 'Last seen' }).waitFor();
    await other.getByRole('button', { name: 'Link another device' }).scrollIntoViewIfNeeded();
    await takeScreenshot(other, 'devices');

    await device.start(DEAD_SERVER);
    page = await open(device);
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByLabel('Job title').fill('Planner');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByText(/^Offline, /)
      .first()
      .waitFor();
    await takeScreenshot(page, 'offline');

    await device.stop();
    await queueRejectedChange(device.dataDir);
    await device.start(serverUrl);
    page = await open(device);
    await openSettings(page);
    await page.getByRole('heading', { name: 'Couldn’t be saved' }).waitFor();
    await page.getByRole('button', { name: 'Remove from the list' }).scrollIntoViewIfNeeded();
    await takeScreenshot(page, 'not-saved');
  } finally {
    await second.remove();
  }
}

/** Queues a change that the server rejects: a coach that no longer exists. */
async function queueRejectedChange(dataDir: string): Promise<void> {
  const credentials = await readCredentials(createFileVault(dataDir));
  if (credentials === null) throw new Error('The device has no credentials.');
  const { userId, deviceId } = credentials;
  const fields = JSON.stringify({ agentId: UNKNOWN_COACH, jobTitle: 'Head of planning' });
  inDatabase(dataDir, (sqlite) =>
    sqlite
      .prepare(
        `INSERT INTO outbox (mutation_id, table_name, row_id, op, fields, creates, at, state)
         VALUES (?, 'users', ?, 'upsert', ?, 0, ?, 'waiting')`,
      )
      .run(crypto.randomUUID(), userId, fields, `${Date.now()}-0000-${deviceId}`),
  );
}
