/**
 * `npm run screenshots -- FOLDER [--dark] [--width N --height N]`: plays through the app in a fresh profile and takes a
 * screenshot of each screen, for the README and for review.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright';
import { heldOutRecording, padWav, samplesOf, synthesise } from '@parley/test-kit';
import { createDevice } from '../app/device.ts';
import { takeCustomerScreenshots } from './customer-screenshots.ts';
import { type ScreenshotTools, takeSessionScreenshots } from './session-screenshots.ts';
import { takeSyncScreenshots } from './sync-screenshots.ts';
import { startSyncServer } from '../servers/sync-server.ts';
import { writeTurn } from '../steps/turns.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dark: { type: 'boolean', default: false },
    width: { type: 'string', default: '1280' },
    height: { type: 'string', default: '860' },
  },
});
const [folder = 'docs/screenshots'] = positionals;
const colorScheme = values.dark ? 'dark' : 'light';
const PRACTICE = 'Give a stand-up update';
const learner = heldOutRecording({ words: 8, skip: 7 });
const reply = synthesise('I finished the report.');
if (learner === null || reply === null) throw new Error('The screenshots require the corpus, opusdec and espeak-ng.');
await mkdir(folder, { recursive: true });

const server = await startSyncServer();
const device = await createDevice();
await device.start(server.address);

async function open(microphone?: Buffer, on = device): Promise<Page> {
  const page = await on.open({ colorScheme, ...(microphone === undefined ? {} : { microphone }) });
  await page.setViewportSize({ width: Number(values.width), height: Number(values.height) });
  return page;
}

async function takeScreenshot(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

const openScreen = (page: Page, name: string): Promise<void> => page.getByRole('link', { name, exact: true }).click();

async function startRecording(page: Page, ms: number): Promise<void> {
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await page.getByText('Recording').waitFor();
  await page.waitForTimeout(ms);
}

try {
  let page = await open(padWav(learner.wav, { beforeMs: 600, afterMs: 600 }));
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await takeScreenshot(page, 'first-today');
  await openScreen(page, 'Practise');
  await takeScreenshot(page, 'practise');
  await page.getByRole('link', { name: new RegExp(PRACTICE) }).click();
  await page.getByRole('heading', { name: PRACTICE }).waitFor();
  await takeScreenshot(page, 'briefing');
  await page.getByText('Easy', { exact: true }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Record 3 seconds' }).click();
  await page.getByRole('button', { name: 'Listen to it' }).waitFor();
  await takeScreenshot(page, 'microphone-check');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Good morning. What did you do yesterday?').waitFor();
  await takeScreenshot(page, 'conversation');

  page = await open(padWav(learner.wav, { beforeMs: 700, afterMs: 2_500 }));
  await page.getByRole('button', { name: 'Continue' }).click();
  await startRecording(page, samplesOf(learner.wav).length / 16 + 1_200);
  await takeScreenshot(page, 'recording');
  await page.getByRole('button', { name: 'Stop and see what we heard' }).click();
  await page.getByLabel('Or write what you said').waitFor();
  await takeScreenshot(page, 'not-recognised');
  await page.getByLabel('Or write what you said').fill(learner.text);
  await page.getByRole('button', { name: 'Score this' }).click();
  await page.getByText('We heard').waitFor();
  await page.getByRole('button', { name: 'Show the details' }).click();
  await takeScreenshot(page, 'heard');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('That didn’t fit here').waitFor();

  page = await open(padWav(reply, { beforeMs: 700, afterMs: 2_500 }));
  await page.getByRole('button', { name: 'Continue' }).click();
  await startRecording(page, 3_000);
  await page.getByRole('button', { name: 'Stop and see what we heard' }).click();
  await page.getByText('We heard').waitFor();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('button', { name: 'Give me a hint' }).click();
  await takeScreenshot(page, 'hint');
  for (const text of [
    'Today I will call the client.',
    'Yes. My computer is very slow.',
    'Can you help me after the meeting?',
  ])
    await writeTurn(page, text);
  await page.getByRole('button', { name: 'See your result' }).click();
  await page.getByRole('img', { name: /^Overall score/ }).waitFor();
  await takeScreenshot(page, 'result');
  for (const name of await page.getByRole('tab').allInnerTexts()) {
    await page.getByRole('tab', { name }).click();
    await takeScreenshot(page, `result-${name.toLowerCase()}`);
  }
  await openScreen(page, 'Drills');
  await takeScreenshot(page, 'drills');
  page = await open(padWav(learner.wav, { beforeMs: 700, afterMs: 4_000 }));
  const text = encodeURIComponent(JSON.stringify(learner.text.toLowerCase()));
  await page.goto(`${page.url().split('#')[0] ?? ''}#/drills/say?text=${text}`);
  await startRecording(page, 700 + (samplesOf(learner.wav).length / 16) * 0.7);
  await takeScreenshot(page, 'drill-speaking');
  await page.waitForTimeout(2_500);
  await page.getByRole('button', { name: 'Stop and see your score' }).click();
  await page.getByRole('img', { name: /^Pronunciation/ }).waitFor();
  await takeScreenshot(page, 'drill-scored');
  for (const name of ['Today', 'History', 'Settings']) {
    await openScreen(page, name);
    await takeScreenshot(page, name.toLowerCase());
  }
  await takeSyncScreenshots({ device, serverUrl: server.address, open: (on) => open(undefined, on), takeScreenshot });
  const pictures: ScreenshotTools = { open: (on, heard) => open(heard?.microphone, on), takeScreenshot };
  await takeSessionScreenshots(pictures);
  await takeCustomerScreenshots(pictures);
} finally {
  await device.remove();
  await server.stop();
}
