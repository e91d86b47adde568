/** A turn that ends automatically, and the processing of the microphone signal. */
import { padWav, synthesise } from '@parley/test-kit';
import { describe, expect, it } from 'vitest';
import { setUpDevice } from '../../app/set-up-device.ts';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { DEAD_SERVER } from '../../app/device.ts';

const PRACTICE = 'Give a stand-up update';
const SAID = 'I finished the report.';
const spoken = synthesise(SAID);
if (spoken === null) console.warn('skipped: synthesised speech requires espeak-ng (Debian: espeak-ng)');

const laptop = setUpDevice(DEAD_SERVER);

it('processes the sound of the microphone only as the settings say', async () => {
  const page = await laptop.open();
  const asked = () =>
    page.evaluate(() => {
      const { echoCancellation, noiseSuppression, autoGainControl } = globalThis.askedAudio ?? {};
      return [echoCancellation, noiseSuppression, autoGainControl];
    });
  await page.addInitScript(() => {
    const getUserMedia = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = (constraints) => {
      if (typeof constraints?.audio === 'object') globalThis.askedAudio = constraints.audio;
      return getUserMedia(constraints);
    };
  });
  await page.reload();
  await page.goto(`${page.url().split('#')[0]}#/microphone`);
  await expect.poll(asked).toEqual([false, false, false]);

  await page.goto(`${page.url().split('#')[0]}#/settings`);
  await page.getByText('Sound processing').click();
  await page.getByText(/It can blur or swallow soft sounds/).waitFor();
  await expectAccessible(page);
  await page.getByRole('switch', { name: 'Reduce noise' }).press('Space');
  await page.goto(`${page.url().split('#')[0]}#/microphone`);
  await expect.poll(asked).toEqual([false, true, false]);
});

describe.skipIf(spoken === null)('a turn that ends automatically', () => {
  it('ends after a whole expected answer, without the button', async () => {
    if (spoken === null) return;
    const page = await laptop.open({ microphone: padWav(spoken, { beforeMs: 700, afterMs: 10_000 }) });
    await page.getByRole('link', { name: 'Practise', exact: true }).click();
    await page.getByRole('link', { name: new RegExp(PRACTICE) }).click();
    await page.getByText('Easy', { exact: true }).click();
    await page.getByRole('button', { name: 'Your turn ends' }).click();
    await page.getByRole('option', { name: 'Automatically' }).click();
    await page.getByText(/two to four seconds/).waitFor();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('button', { name: 'Continue without a check' }).click();
    await page.getByRole('button', { name: 'Speak', exact: true }).click();
    await page.getByText('We heard').waitFor();
    await page.getByText(SAID).first().waitFor();
  });
});

declare global {
  var askedAudio: MediaTrackConstraints | undefined;
}
