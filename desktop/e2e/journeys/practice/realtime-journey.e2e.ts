/** A call in a real browser: an interruption stops the coach at once, an "mm-hm" does not interrupt, and the keyboard keeps its place. */
import { toWav } from '@parley/test-kit';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import {
  INTERRUPTION,
  callMicrophoneInput,
  practiseByCall,
  type Mark,
  readMarks,
  startCall,
} from '../../steps/realtime-session.ts';
import { simulateUnplugging } from '../../steps/simulate-unplugging.ts';
import { startModelCoachServer } from '../../servers/model-coach-server.ts';
import { setUpLaptop } from '../../app/set-up-laptop.ts';

const learnerAudio = callMicrophoneInput();
if (learnerAudio === null) console.warn('skipped: synthesised speech requires espeak-ng (Debian: espeak-ng)');

/** With a longer delay, learners would think that they had not been heard. */
const MAX_SILENCE_DELAY_MS = 150;

const fixture = setUpLaptop(startModelCoachServer, { isFresh: true });

const lastBefore = (marks: readonly Mark[], name: string, atMs: number): number =>
  marks.findLast((mark) => mark.name === name && mark.atMs <= atMs)?.atMs ?? Number.NaN;

/** A narrow window, and a window of 1280 by 800 at 200 % zoom. */
const SMALL_WINDOWS = [
  { width: 480, height: 800 },
  { width: 640, height: 400 },
] as const;

/** The captions and the buttons of a call must be visible without scrolling. */
async function expectVisibleWithoutScrolling(page: Page, size: (typeof SMALL_WINDOWS)[number]): Promise<void> {
  const before = page.viewportSize() ?? size;
  await page.setViewportSize(size);
  await page.getByText(/^Objectives: /).click();
  for (const part of [page.getByRole('toolbar').getByRole('button'), page.getByRole('group', { name: 'Captions' })])
    for (const one of await part.all()) {
      const { x, y, width, height } = (await one.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 };
      expect(Math.min(x, y, size.width - x - width, size.height - y - height)).toBeGreaterThanOrEqual(0);
      expect(height).toBeGreaterThan(30);
    }
  await expectAccessible(page);
  await page.getByText(/^Objectives: /).click();
  await page.setViewportSize(before);
}

it.skipIf(learnerAudio === null)(
  'a call can be interrupted, put on hold, ended and scored',
  { tags: ['slow'] },
  async () => {
    if (learnerAudio === null) return;
    const page = await fixture.laptop.open({ microphone: learnerAudio.microphone });
    await practiseByCall(page, fixture.server, learnerAudio, async (name) => {
      if (name === 'call-listening') {
        const marks = await readMarks(page);
        const times = (wanted: string): number[] => marks.filter(({ name }) => name === wanted).map(({ atMs }) => atMs);
        const [silent, interrupted, resumed] = [times('call:silent'), times('call:barge-in'), times('call:goes-on')];
        const [mmHm = 0, breaksIn = 0] = silent;
        // Silent during the "mm-hm" and during the interruption; only the interruption ends the utterance.
        expect(silent).toHaveLength(2);
        expect(interrupted).toHaveLength(1);
        expect(resumed).toEqual([expect.toSatisfy((atMs: number) => atMs > mmHm && atMs < breaksIn)]);
        const afterMs = silent.map((atMs) => Math.round(atMs - lastBefore(marks, 'call:voice', atMs)));
        for (const ms of afterMs) expect(ms).toBeLessThan(MAX_SILENCE_DELAY_MS);
        const knownMs = (interrupted[0] ?? 0) - lastBefore(marks, 'call:voice', breaksIn);
        console.info(
          `silent ${afterMs.join(' and ')} ms after speech began; resumed ${Math.round((resumed[0] ?? 0) - mmHm)} ms after an "mm-hm", ` +
            `recognised the interruption after ${Math.round(knownMs)} ms`,
        );
      }
      await expectAccessible(page);
      if (name === 'call-moment') {
        expect(await page.getByRole('timer').innerText()).toMatch(/^0:[1-5]\d$/);
        for (const size of SMALL_WINDOWS) await expectVisibleWithoutScrolling(page, size);
        await page.reload();
        const captions = page.getByRole('group', { name: 'Captions' });
        // The part of the coach's utterance that had been played by then.
        await captions.getByText(/^Of course/).waitFor();
        await captions.getByText(`You: ${INTERRUPTION}`).waitFor();
      }
    });
    await page.getByRole('tab', { name: 'Audio' }).click();
    await page.getByText(INTERRUPTION).first().waitFor();
  },
);

it('the keyboard keeps its place when a call ends and begins again', { tags: ['slow'] }, async () => {
  const page = await fixture.laptop.open({ microphone: toWav(Buffer.alloc(60 * 32_000), 16_000) });
  await page.addInitScript(simulateUnplugging);
  await page.reload();
  await startCall(page);
  const pressTab = async (): Promise<string> => {
    await page.keyboard.press('Tab');
    return page.evaluate(() => document.activeElement?.textContent ?? '');
  };
  await page.getByRole('button', { name: 'End…' }).focus();
  await page.evaluate(() => window.dispatchEvent(new Event('unplug')));
  await page.getByText('Not connected.').waitFor();
  await page.evaluate(() => window.dispatchEvent(new Event('plug')));
  await page.getByRole('button', { name: 'Call again' }).waitFor();
  expect(await pressTab()).toBe('Call again');
  await page.keyboard.press('Enter');
  await page.getByRole('toolbar').waitFor();
  expect(await pressTab()).toBe('Mute');
  await page.getByRole('button', { name: 'End…' }).click();
  await page.getByRole('dialog').waitFor();
  await page.evaluate(() => window.dispatchEvent(new Event('unplug')));
  await page.getByText('Not connected.').waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.waitForTimeout(500);
  expect(await pressTab()).toBe('Call again');
});
