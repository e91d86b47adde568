/** Recordings on two devices: nothing is sent until the learner agrees, the second device plays the copy, and all copies are deleted again. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { padWav, synthesise } from '@parley/test-kit';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDevice, type Device } from '../../app/device.ts';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { type RunningServer, startSyncServer } from '../../servers/sync-server.ts';
import { joinWithCode, requestLinkCode } from '../../steps/link-devices.ts';
import { speakTurn, writeTurn } from '../../steps/turns.ts';

const PRACTICE = 'Give a stand-up update';
const SAID = 'I finished the report.';
const speech = synthesise(SAID);
if (speech === null) console.warn('skipped: synthesised speech requires espeak-ng (Debian: espeak-ng)');
/** Recordings are sent after half a minute without speech. */
const SENT_WITHIN_MS = 90_000;

let server: RunningServer;
let laptop: Device;
let desk: Device;
beforeAll(async () => {
  server = await startSyncServer();
  laptop = await createDevice();
  desk = await createDevice();
  await laptop.start(server.address);
  await desk.start(server.address);
});
afterAll(async () => {
  await laptop.remove();
  await desk.remove();
  await server.stop();
});

async function practise(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Practise' }).click();
  await page.getByRole('link', { name: new RegExp(PRACTICE) }).click();
  await page.getByText('Easy', { exact: true }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Continue without a check' }).click();
  await page.getByText('Good morning. What did you do yesterday?').waitFor();
  await speakTurn(page, 4_000);
  await page.getByText(SAID).first().waitFor();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('button', { name: 'Speak', exact: true }).waitFor();
  for (const text of [
    "Today I'll call the client.",
    'Yes. My computer is very slow.',
    'Can you help me, please?',
    'Tomorrow, please.',
  ])
    await writeTurn(page, text);
  await page.getByRole('button', { name: 'See your result' }).click();
  await page.getByRole('img', { name: /^Overall score: \d+ of 100$/ }).waitFor();
}

const openSettings = (page: Page): Promise<void> => page.getByRole('link', { name: 'Settings', exact: true }).click();

it.skipIf(speech === null)(
  'copies of recordings are kept after consent, played on another device, and deleted',
  { tags: ['slow'], timeout: 240_000 },
  async () => {
    if (speech === null) return;
    const page = await laptop.open({ microphone: padWav(speech, { beforeMs: 700, afterMs: 2_500 }) });
    await practise(page);

    await openSettings(page);
    const keep = page.getByRole('switch', { name: 'Keep my recordings on my school’s server' });
    await keep.waitFor();
    expect(await keep.isChecked()).toBe(false);
    await expectAccessible(page);
    await page.getByText('Keep my recordings on my school’s server').click();
    await page.getByText('1 recording is waiting to be sent.').waitFor();
    await page.getByText('1 copy on the server').waitFor({ timeout: SENT_WITHIN_MS });
    await expectAccessible(page);

    const code = await requestLinkCode(page);
    await page.getByRole('button', { name: 'Done' }).click();
    const other = await desk.open();
    await openSettings(other);
    await joinWithCode(other, code);
    await other.getByRole('button', { name: 'Sync now' }).click();
    await other.getByRole('link', { name: 'History' }).click();
    await other.getByRole('link', { name: new RegExp(PRACTICE) }).click();
    await other.getByRole('img', { name: /^Overall score: \d+ of 100$/ }).waitFor();
    await other.getByRole('tab', { name: 'Audio' }).click();
    await other.getByRole('img', { name: 'Waveform: You' }).first().waitFor();
    await other.getByText('You hear the smaller copy from your school’s server.').waitFor();
    await other.getByRole('tabpanel').getByRole('button', { name: 'Play' }).first().click();
    await expectAccessible(other);
    expect(await readdir(join(desk.dataDir, 'recordings', 'copies'))).toHaveLength(1);

    await page.getByText('Keep my recordings on my school’s server').click();
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Stop and delete the copies' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => page.getByText(/cop(y|ies) on the server/).count()).toBe(0);
    expect(await keep.isChecked()).toBe(false);
    // The original recording is still where it was made.
    expect((await readdir(join(laptop.dataDir, 'recordings'))).filter((name) => name.endsWith('.wav'))).toHaveLength(1);
  },
);
