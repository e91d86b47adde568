/** A computer is lost: its owner signs it out on another one and has its data deleted. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDevice, type Device } from '../../app/device.ts';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { type CommercialServer, startCommercialServer } from '../../servers/commercial-server.ts';
import { signIn } from '../../steps/customer-lifecycle.ts';
import { joinWithCode, requestLinkCode } from '../../steps/link-devices.ts';

const EMAIL = 'owner@example.com';

let server: CommercialServer;
let lost: Device;
let laptop: Device;
beforeEach(async () => {
  server = await startCommercialServer();
  lost = await createDevice();
  laptop = await createDevice();
  await lost.start(server.address);
  await laptop.start(server.address);
});
afterEach(async () => {
  await lost.remove();
  await laptop.remove();
  await server.stop();
});

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const openSettings = (page: Page): Promise<void> => page.getByRole('link', { name: 'Settings', exact: true }).click();

/** Whether the database contains the account. */
async function isOn({ dataDir }: Device): Promise<boolean> {
  const files = (await readdir(dataDir)).filter((name) => name.startsWith('parley.sqlite'));
  const contents = await Promise.all(files.map(async (name) => readFile(join(dataDir, name), 'utf8')));
  return contents.some((content) => content.includes(EMAIL));
}

it("the data of a lost computer is deleted at its owner's request", { tags: ['slow'] }, async () => {
  const there = await lost.open();
  await signIn(there, server, { email: EMAIL, onStep: async () => undefined });
  await button(there, 'Sign out').waitFor();
  await openSettings(there);
  const code = await requestLinkCode(there);
  await there.keyboard.press('Escape');
  expect(await isOn(lost)).toBe(true);

  const here = await laptop.open();
  await openSettings(here);
  await joinWithCode(here, code);
  await here.getByText(EMAIL).first().waitFor();
  await here.getByRole('list', { name: 'Devices on this account' }).getByRole('button', { name: 'Sign out' }).click();
  await button(here, 'Sign out and delete its data…').click();
  await here.getByText('Files that you saved elsewhere will be kept.').waitFor();
  await expectAccessible(here);
  const mails = server.subjectsTo(EMAIL).length;
  await button(here, 'Sign out and delete').click();
  await here.getByText('We’re sending a code to').waitFor();
  expect(await here.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).count()).toBe(1);
  await here.getByRole('dialog').getByText(EMAIL).waitFor();
  await expect.poll(() => server.subjectsTo(EMAIL).length).toBeGreaterThan(mails);
  await here.getByLabel('Code', { exact: true }).fill(await server.codeFor(EMAIL));
  await expectAccessible(here);
  await button(here, 'Sign out and delete').click();

  await there.getByText('The account’s owner requested this on another computer.').waitFor({ timeout: 60_000 });
  await expectAccessible(there);
  expect(await isOn(lost)).toBe(false);
  await button(there, 'Close').click();
  await there.getByText('The account’s owner requested this on another computer.').waitFor({ state: 'detached' });

  await here.reload();
  await here.getByText('Signed out. Its data was deleted on').waitFor();
  await expectAccessible(here);
});
