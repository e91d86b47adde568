/**
 * The result of one answer: how both voices say the sentence to work on, its sounds, and the objectives that the answer
 * met.
 */
import { padWav, samplesOf, synthesise } from '@parley/test-kit';
import { describe, expect, it } from 'vitest';
import { setUpDevice } from '../../app/set-up-device.ts';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { DEAD_SERVER } from '../../app/device.ts';
import { correctWords, speakTurn } from '../../steps/turns.ts';

const PRACTICE = 'Give a stand-up update';
const REACHES_AN_OBJECTIVE = synthesise('I finished the report.');
const SAID = 'We walked around the value.';
/** The last word begins with a w instead of a v. */
const SAID_BADLY = synthesise('We walked around the walue.');
const PADDING = { beforeMs: 700, afterMs: 3_500 };
if (SAID_BADLY === null) console.warn('skipped: synthesised speech requires espeak-ng (Debian: espeak-ng)');

const laptop = setUpDevice(DEAD_SERVER);

describe.skipIf(SAID_BADLY === null)('the result of a practice', () => {
  it('compares both voices for one word, and shows an objective next to its proof', async () => {
    if (REACHES_AN_OBJECTIVE === null || SAID_BADLY === null) return;
    let page = await laptop.open({ microphone: padWav(REACHES_AN_OBJECTIVE, PADDING) });
    await page.getByRole('link', { name: 'Practise', exact: true }).click();
    await page.getByRole('link', { name: new RegExp(PRACTICE) }).click();
    await page.getByText('Easy', { exact: true }).click();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('button', { name: 'Continue without a check' }).click();
    await page.getByRole('button', { name: 'Speak', exact: true }).waitFor();
    await speakTurn(page, samplesOf(REACHES_AN_OBJECTIVE).length / 16 + 1_200);
    await page.getByText('We heard').waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('(reached)').waitFor();

    // Chromium plays a microphone file from its start, so the window is reopened for the second turn.
    page = await laptop.open({ microphone: padWav(SAID_BADLY, PADDING) });
    await page.getByRole('button', { name: 'Continue' }).click();
    await speakTurn(page, samplesOf(SAID_BADLY).length / 16 + 1_200);
    await correctWords(page, SAID);
    await page.getByText('We heard').waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'End the conversation…' }).click();
    await page.getByRole('button', { name: 'Finish and see the result' }).click();
    await page.getByRole('img', { name: /^Overall score: \d+ of 100$/ }).waitFor();

    const feedback = page.getByRole('region', { name: 'Feedback' });
    const voices = feedback.getByRole('group', { name: 'Both voices' });
    const [own, model] = [
      voices.getByRole('img', { name: 'Waveform: You' }),
      voices.getByRole('img', { name: 'Waveform: Model voice' }),
    ];
    await own.waitFor();
    const [ownBox, modelBox] = [await own.boundingBox(), await model.boundingBox()];
    expect(ownBox?.y).toBeLessThan(modelBox?.y ?? 0);
    expect([ownBox?.x, ownBox?.width]).toEqual([modelBox?.x, modelBox?.width]);
    const shade = own.locator('rect');
    expect(await shade.count()).toBe(1);
    expect(await shade.getAttribute('x')).toBe(await model.locator('rect').getAttribute('x'));
    expect(await feedback.getByRole('list', { name: 'Sounds with their scores' }).getByRole('listitem').count()).toBe(
      5,
    );
    await voices.getByRole('button', { name: 'Play your voice' }).click();
    await voices.getByRole('button', { name: 'Stop' }).waitFor();
    await voices.getByRole('button', { name: 'Play your voice' }).waitFor();

    const line = page.getByRole('list', { name: 'What was said' }).getByRole('listitem').filter({ hasText: 'report' });
    await line.getByRole('list', { name: 'Reached with this answer' }).getByText('yesterday').waitFor();
    await expectAccessible(page);
  });
});
