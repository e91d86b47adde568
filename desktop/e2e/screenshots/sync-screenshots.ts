/** Takes screenshots of syncing: two devices, no network, and a rejected change. */
import { createFileVault, readCredentials } from '../../src/host/server/index.ts';
import { inDatabase } from '../../src/host/test-kit/read-database.ts';
import type { Page } from 'playwright';
import { createDevice, DEAD_SERVER, type Device } from '../app/device.ts';
import { startNewerServer } from '../servers/newer-server.ts';
import { startSyncServer } from '../servers/sync-server.ts';
import { joinWithCode, requestLinkCode } from '../steps/link-devices.ts';
import type { Camera } from './camera.ts';

const UNKNOWN_COACH = '01900000-0000-7000-8000-00000000dead';

const openSettings = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('heading', { name: 'Your devices' }).waitFor();
};

export async function takeSyncScreenshots({ size, takeScreen }: Camera): Promise<void> {
  const server = await startSyncServer();
  const device = await createDevice();
  const second = await createDevice();
  const open = async (on: Device): Promise<Page> => {
    const page = await on.open();
    await page.setViewportSize(size);
    return page;
  };
  try {
    await device.start(server.address);
    let page = await open(device);
    await page.getByText('Everything saved').first().waitFor();
    await takeScreen(page, 'synced');
    await page.getByRole('link', { name: /^Blog/ }).click();
    await page.getByRole('heading', { name: 'Blog' }).waitFor();
    await takeScreen(page, 'blog');
    await page.getByRole('main').getByRole('link').first().click();
    await page.getByRole('link', { name: 'All posts' }).waitFor();
    await takeScreen(page, 'blog-post');
    await openSettings(page);
    const code = await requestLinkCode(page);
    await second.start(server.address);
    const other = await open(second);
    await openSettings(other);
    await joinWithCode(other, code);
    await other.getByRole('listitem').filter({ hasText: 'Last seen' }).waitFor();
    await other.getByRole('button', { name: 'Link another device' }).scrollIntoViewIfNeeded();
    await takeScreen(other, 'devices');

    await device.start(DEAD_SERVER);
    page = await open(device);
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByLabel('Job title').fill('Planner');
    await page.getByLabel('Job title').press('Enter');
    await page
      .getByText(/^Offline, /)
      .first()
      .waitFor();
    await takeScreen(page, 'offline');

    await device.stop();
    await queueRejectedChange(device.dataDir);
    await device.start(server.address);
    page = await open(device);
    await openSettings(page);
    await page.getByRole('heading', { name: 'Couldn’t be saved' }).waitFor();
    await page.getByRole('button', { name: 'Remove from the list' }).scrollIntoViewIfNeeded();
    await takeScreen(page, 'not-saved');
    await takeOutdated(open, takeScreen);
  } finally {
    await second.remove();
    await device.remove();
    await server.stop();
  }
}

/** The server has moved on to a protocol that this version does not speak. */
async function takeOutdated(open: (on: Device) => Promise<Page>, takeScreen: Camera['takeScreen']): Promise<void> {
  const server = await startNewerServer();
  const device = await createDevice();
  try {
    await device.start(server.address);
    const page = await open(device);
    await page.getByText('Your server needs a newer version of Parley.').waitFor();
    await takeScreen(page, 'outdated');
    await page.getByRole('button', { name: 'See what to do' }).click();
    await page.getByRole('heading', { name: 'Update Parley' }).waitFor();
    await takeScreen(page, 'update');
  } finally {
    await device.remove();
    await server.stop();
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
