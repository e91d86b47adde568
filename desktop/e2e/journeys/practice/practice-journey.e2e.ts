/**
 * A practice in a real browser: a fresh profile, a practice by voice from a real learner's recording, its result, a restart
 * without network, History, and a second device that syncs it.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { heldOutRecording, padWav, samplesOf, synthesise } from '@parley/test-kit';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { findInside } from '../../sound/compare-audio.ts';
import { createDevice, DEAD_SERVER, type Device } from '../../app/device.ts';
import { type RunningServer, startSyncServer } from '../../servers/sync-server.ts';
import { joinWithCode, requestLinkCode } from '../../steps/link-devices.ts';
import { correctWords, speakTurn, writeTurn } from '../../steps/turns.ts';

const learner = heldOutRecording({ words: 5 });
const expectedReply = synthesise('I finished the report.');
if (learner === null)
  console.warn('skipped: a learner’s recording needs the corpus (PARLEY_CORPUS_DIR) and opusdec (Debian: opus-tools)');
if (expectedReply === null) console.warn('skipped: synthesised speech requires espeak-ng (Debian: espeak-ng)');

const PRACTICE = 'Give a stand-up update';
const PADDING = { beforeMs: 700, afterMs: 2_500 };

let server: RunningServer;
let laptop: Device;
let desk: Device;

beforeAll(async () => {
  server = await startSyncServer();
  laptop = await createDevice();
  desk = await createDevice();
  await laptop.start(server.address);
});

afterAll(async () => {
  await laptop.remove();
  await desk.remove();
  await server.stop();
});

async function openUnfinished(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('list', { name: 'Conversation' }).waitFor();
}

/** The question must be visible above the dock, whatever the dock contains. */
async function expectQuestionVisible(page: Page): Promise<void> {
  const question = page.getByRole('list', { name: 'Conversation' }).getByRole('listitem').last();
  const dock = page.locator('[class*=dock][data-phase]');
  await expect
    .poll(async () => {
      const [above, below] = [await question.boundingBox(), await dock.boundingBox()];
      return above !== null && below !== null && above.y >= 0 && above.y + above.height <= below.y;
    })
    .toBe(true);
}

describe('a first practice', () => {
  it('is found in the catalogue and briefed without any configuration', async () => {
    const page = await laptop.open(learner === null ? {} : { microphone: padWav(learner.wav, PADDING) });
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Practise' }).click();
    await page.getByLabel('Search').fill('stand-up');
    await expectAccessible(page);
    await page.getByRole('link', { name: new RegExp(PRACTICE) }).click();
    await page.getByRole('heading', { name: PRACTICE }).waitFor();
    await expect.poll(() => page.getByText('Say what you did yesterday').count()).toBe(1);
    await expectAccessible(page);
  });

  it('starts with a microphone check', async () => {
    const page = await laptop.open(
      expectedReply === null ? {} : { microphone: padWav(expectedReply, { beforeMs: 600, afterMs: 600 }) },
    );
    await page.getByRole('link', { name: 'Practise' }).click();
    await page.getByRole('link', { name: new RegExp(PRACTICE) }).click();
    await page.getByText('Easy', { exact: true }).click();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('heading', { name: 'Microphone check' }).waitFor();
    await page.getByRole('button', { name: 'Record 3 seconds' }).click();
    await page.getByRole('button', { name: 'Listen to it' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Good morning. What did you do yesterday?').waitFor();
    await expectAccessible(page);
  });

  it.skipIf(learner === null)('scores a real learner’s speech and keeps the exact recording', async () => {
    if (learner === null) return;
    const page = await laptop.open({ microphone: padWav(learner.wav, PADDING) });
    await openUnfinished(page);
    const lengthMs = samplesOf(learner.wav).length / 16;
    await speakTurn(page, lengthMs + 1_200);
    // The recording matches none of the expected replies and answers nothing.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toMatch(/What did you say\?|Send/);
    await correctWords(page, learner.text);
    await page.getByText('We heard').waitFor();
    await page.getByRole('button', { name: 'Show the details' }).click();
    const words = page.getByRole('toolbar', { name: 'Words with their scores' }).getByRole('button');
    // The drafted words may still be shown while the corrected ones are being scored.
    await expect.poll(() => words.count()).toBe(learner.text.split(' ').length);
    await words.first().click();
    await page.getByRole('list', { name: 'Sounds with their scores' }).waitFor();

    const recordings = join(laptop.dataDir, 'recordings');
    const [kept] = await readdir(recordings);
    const match = findInside(samplesOf(await readFile(join(recordings, kept ?? ''))), samplesOf(learner.wav));
    expect(match.correlation).toBeGreaterThan(0.97);

    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Your coach couldn’t follow that, and asked again.').waitFor();
  });

  it.skipIf(expectedReply === null)('recognises an expected reply and marks its objective as reached', async () => {
    if (expectedReply === null) return;
    const page = await laptop.open({ microphone: padWav(expectedReply, PADDING) });
    await openUnfinished(page);
    await speakTurn(page, 3_000);
    await page.getByText('We heard').waitFor();
    // Screen readers announce both, because the focus moves to Send.
    const heard = page.locator('[aria-live=polite]').filter({ hasText: 'We heard' });
    await heard.getByText('I finished the report.').waitFor();
    await heard.getByRole('img', { name: /^Pronunciation: \d+ of 100$/ }).waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('(reached)').waitFor();
  });

  it('continues in writing, with a hint and a pause, to its end', async () => {
    const page = await laptop.open();
    await openUnfinished(page);
    if (expectedReply === null) await writeTurn(page, 'I finished the report.');
    await page.getByRole('button', { name: 'Give me a hint' }).click();
    await page.getByText('You could talk about').waitFor();
    await expectQuestionVisible(page);
    await page.getByRole('button', { name: 'Show me how to start' }).press('Enter');
    await page.getByRole('button', { name: 'Show me whole sentences' }).press('Enter');
    await page.getByText('You could say').waitFor();
    await expectQuestionVisible(page);
    // For keyboard users, the focus must move to the hints.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('You could say');
    await writeTurn(page, "Today I'll call the client.");
    const field = page.getByLabel('Write your answer');
    await field.fill('Yes. My comp');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused. No minutes are being used.').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect.poll(() => field.inputValue()).toBe('Yes. My comp');
    await field.fill('Yes. My computer');
    await page.getByRole('link', { name: 'Today' }).click();
    await openUnfinished(page);
    await expect.poll(() => field.inputValue()).toBe('Yes. My computer');
    await page.reload();
    await expect.poll(() => field.inputValue()).toBe('Yes. My computer');
    await writeTurn(page, 'Yes. My computer is very slow.');
    expect(await field.inputValue()).toBe('');
    await writeTurn(page, 'Can you help me, please?');
    await writeTurn(page, 'Tomorrow, please.');
    await page.getByRole('button', { name: 'See your result' }).click();
    await page.getByRole('img', { name: /^Overall score: \d+ of 100$/ }).waitFor();
    await expect.poll(() => page.getByText('What went well').count()).toBe(1);
    await expectAccessible(page);
  });

  it('shows a dash for missing scores, and both waveforms', { tags: ['slow'] }, async () => {
    const page = await laptop.open();
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('link', { name: new RegExp(PRACTICE) }).click();
    await page.getByRole('img', { name: /^Overall score/ }).waitFor();
    if (learner === null)
      expect(await page.getByText('Not measured: it needs sentences of five words or more.').count()).toBe(1);
    if (learner === null && expectedReply === null) return;
    await page.getByRole('tab', { name: 'Audio' }).click();
    await page.getByRole('img', { name: 'Waveform: You' }).first().waitFor();
    await page.getByRole('img', { name: 'Waveform: Model voice' }).first().waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 640 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });

  it.skipIf(learner === null)(
    'says a sentence again, with its scores before and after',
    { tags: ['slow'] },
    async () => {
      if (learner === null) return;
      const page = await laptop.open({ microphone: padWav(learner.wav, PADDING) });
      await page.getByRole('link', { name: 'History' }).click();
      await page.getByRole('link', { name: new RegExp(PRACTICE) }).click();
      await page.getByRole('button', { name: 'Try this sentence again' }).first().click();
      await page.getByRole('button', { name: 'Speak', exact: true }).click();
      await page.getByText('Recording').waitFor();
      await page.waitForTimeout(samplesOf(learner.wav).length / 16 + 1_200);
      await page.getByRole('button', { name: 'Stop and see your score' }).click();
      const before = page.getByRole('row', { name: /^This sentence \d+ of 100 \d+ of 100$/ });
      await before.waitFor();
      await expectAccessible(page);
    },
  );
});

describe('a finished practice', () => {
  it('is found in History after a restart without network', async () => {
    await laptop.start(DEAD_SERVER);
    const page = await laptop.open({ colorScheme: 'dark' });
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByLabel('Search what was said').fill('computer');
    await page.getByRole('link', { name: new RegExp(PRACTICE) }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: new RegExp(PRACTICE) }).click();
    await page.getByRole('img', { name: /^Overall score: \d+ of 100$/ }).waitFor();
    await expectAccessible(page);
  });

  it('appears on a second device after both have synced', { tags: ['slow'] }, async () => {
    await laptop.start(server.address);
    const page = await laptop.open();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Sync now' }).click();
    await page.getByText('Everything saved').first().waitFor();
    await expectAccessible(page);
    const code = await requestLinkCode(page);

    await desk.start(server.address);
    const other = await desk.open();
    await other.getByRole('link', { name: 'History' }).click();
    await other.getByText('No sessions yet').waitFor();
    await other.getByRole('link', { name: 'Settings' }).click();
    await joinWithCode(other, code);
    await other.getByRole('button', { name: 'Sync now' }).click();
    await other.getByRole('link', { name: 'History' }).click();
    await other.getByRole('link', { name: new RegExp(PRACTICE) }).click();
    await other.getByRole('img', { name: /^Overall score: \d+ of 100$/ }).waitFor();
    expect(await other.getByText('My computer is very slow').count()).toBeGreaterThan(0);
  });
});
