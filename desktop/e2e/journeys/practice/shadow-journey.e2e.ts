/** Shadowing in a real browser, offline: a text is said after the model, compared word by word, and a phrase is repeated by keyboard. */
import { padWav, synthesise } from '@parley/test-kit';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { setUpDevice } from '../../app/set-up-device.ts';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { DEAD_SERVER } from '../../app/device.ts';

const TEXT = 'We will deliver the new parts to your office on Tuesday.';
const spoken = synthesise(TEXT);
if (spoken === null) console.warn('skipped: synthesised speech requires espeak-ng (Debian: espeak-ng)');

const device = setUpDevice(DEAD_SERVER);

async function chooseText(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Screen or practice' }).waitFor();
  await page.keyboard.type('shadow');
  await page.getByRole('option', { name: 'Shadowing' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Shadowing', level: 1 }).waitFor();
  await page.getByRole('textbox', { name: 'What do you want to say?' }).fill(TEXT);
  await page.keyboard.press('Enter');
  await page.getByRole('img', { name: 'Waveform: Model voice' }).waitFor({ timeout: 60_000 });
}

describe('shadowing', { tags: ['slow'] }, () => {
  it.skipIf(spoken === null)('compares the learner with the model on one time axis', async () => {
    if (spoken === null) return;
    const page = await device.open({ microphone: padWav(spoken, { beforeMs: 700, afterMs: 6_000 }) });
    await chooseText(page);
    const words = page.getByRole('group', { name: 'Words to repeat' }).getByRole('button');
    expect(await words.allInnerTexts()).toEqual(TEXT.replace('.', '').split(' '));
    await expectAccessible(page);

    await page.getByRole('heading', { name: 'Shadowing', level: 1 }).focus();
    await page.keyboard.press('Space');
    await page.getByText('Recording').waitFor();
    await page.waitForTimeout(5_000);
    await page.keyboard.press('Space');
    // The synthetic voice is flat, so this test makes no claim about its score.
    await page.getByRole('img', { name: /^Rhythm like the model: \d+ of 100$/ }).waitFor({ timeout: 60_000 });
    await page.getByRole('img', { name: /^Melody like the model: / }).waitFor();
    await expectAccessible(page);

    await words.nth(0).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await page.getByText('Looping “deliver the”.').waitFor();
    await page.getByRole('button', { name: 'Play both' }).press('Enter');
    await page.getByRole('button', { name: 'Stop', exact: true }).press('Enter');
    await words.nth(3).focus();
    await page.keyboard.press('Escape');
    await page.getByText('Drag across words to loop a phrase.').waitFor();

    await words.nth(8).hover();
    await page.mouse.down();
    await words.nth(10).hover();
    await page.mouse.up();
    await page.getByText('Looping “office on Tuesday”.').waitFor();
  });
});
