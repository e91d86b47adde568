/**
 * `npm run screenshots:site -- [FOLDER]`: plays a practice in a fresh profile and takes the pictures of the public site's landing page, as
 * WebP, in light and in dark colours.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { padWav, synthesise } from '@parley/test-kit';
import type { Page } from 'playwright';
import { createDevice } from '../app/device.ts';
import { speakTurn, writeTurn } from '../steps/turns.ts';

const [folder = 'sync-server/src/site/assets/pictures'] = process.argv.slice(2);
/** The landing page shows a picture at half of these pixels or more, so it stays sharp on a dense screen. */
const SCREEN = { width: 900, height: 660, deviceScaleFactor: 1.25, mobile: false };
const QUALITY = 80;
const PRACTICE = 'Give a stand-up update';

const reply = synthesise('I finished the report.');
if (reply === null) throw new Error('The pictures require espeak-ng.');
await mkdir(folder, { recursive: true });

const device = await createDevice();
try {
  await device.start(null);
  const microphone = padWav(reply, { beforeMs: 700, afterMs: 2_500 });
  let page = await open(microphone);
  await page.getByRole('link', { name: 'Practise' }).click();
  await page.getByRole('link', { name: new RegExp(PRACTICE) }).click();
  await page.getByText('Easy', { exact: true }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Record 3 seconds' }).click();
  await page.getByRole('button', { name: 'Listen to it' }).waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Good morning. What did you do yesterday?').waitFor();

  // The microphone plays its file once, and the microphone check has already used it.
  page = await open(microphone);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('list', { name: 'Conversation' }).waitFor();
  await speakTurn(page, 3_000);
  await page.getByText('We heard').waitFor();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('(reached)').waitFor();
  await writeTurn(page, "Today I'll call the client.");
  await takePictures(page, 'conversation');
  for (const text of ['Yes. My computer is very slow.', 'Can you help me, please?', 'Tomorrow, please.'])
    await writeTurn(page, text);
  await page.getByRole('button', { name: 'See your result' }).click();
  await page.getByRole('img', { name: /^Overall score/ }).waitFor();
  await takePictures(page, 'result');
} finally {
  await device.remove();
}

async function open(microphone: Buffer): Promise<Page> {
  const page = await device.open({ microphone });
  page.setDefaultTimeout(60_000);
  return page;
}

async function takePictures(page: Page, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setDeviceMetricsOverride', SCREEN);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(1_000);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
    await writeFile(join(folder, `${name}-${colorScheme}.webp`), Buffer.from(data, 'base64'));
  }
}
