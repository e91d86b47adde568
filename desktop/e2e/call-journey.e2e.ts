/** A call in a real browser with a real microphone path: who speaks over the coach is heard at once, an "mm-hm" interrupts nobody. */
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectAccessible } from './support/accessible.ts';
import { BREAKS_IN, heardInCall, holdCall, type Mark, marksOf } from './support/hold-call.ts';
import { startLiveServer } from './support/live-server.ts';
import { setUpLaptop } from './support/set-up-laptop.ts';

const heard = heardInCall();
if (heard === null) console.warn('skipped: a call needs a voice, espeak-ng (Debian: espeak-ng)');

/** Longer, and a learner believes that they were not heard. */
const STOPS_WITHIN_MS = 150;

const scene = setUpLaptop(startLiveServer);

const lastBefore = (marks: readonly Mark[], name: string, atMs: number): number =>
  marks.findLast((mark) => mark.name === name && mark.atMs <= atMs)?.atMs ?? Number.NaN;

/** A narrow window, and 1280 by 800 at 200 %. */
const SMALL = [
  { width: 480, height: 800 },
  { width: 640, height: 400 },
] as const;

/** Whatever stands above them, the words and the buttons of a call need no scrolling. */
async function expectInSight(page: Page, size: (typeof SMALL)[number]): Promise<void> {
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

it.skipIf(heard === null)('a call is held, broken in on, paused, ended and scored', async () => {
  if (heard === null) return;
  const page = await scene.laptop.open({ microphone: heard.microphone });
  await holdCall(page, scene.server, heard, async (name) => {
    if (name === 'call-listening') {
      const marks = await marksOf(page);
      const times = (wanted: string): number[] => marks.filter(({ name }) => name === wanted).map(({ atMs }) => atMs);
      const [silent, interrupted, wentOn] = [times('call:silent'), times('call:barge-in'), times('call:goes-on')];
      const [mmHm = 0, breaksIn = 0] = silent;
      // Silent for the "mm-hm" and for the sentence that breaks in; only the sentence ends what the coach says.
      expect(silent).toHaveLength(2);
      expect(interrupted).toHaveLength(1);
      expect(wentOn).toEqual([expect.toSatisfy((atMs: number) => atMs > mmHm && atMs < breaksIn)]);
      const afterMs = silent.map((atMs) => Math.round(atMs - lastBefore(marks, 'call:voice', atMs)));
      for (const ms of afterMs) expect(ms).toBeLessThan(STOPS_WITHIN_MS);
      const knownMs = (interrupted[0] ?? 0) - lastBefore(marks, 'call:voice', breaksIn);
      console.info(
        `silent ${afterMs.join(' and ')} ms after a voice began; spoke on ${Math.round((wentOn[0] ?? 0) - mmHm)} ms after an "mm-hm", ` +
          `was known to be interrupted after ${Math.round(knownMs)} ms`,
      );
    }
    await expectAccessible(page);
    if (name === 'call-moment') {
      for (const size of SMALL) await expectInSight(page, size);
      await page.reload();
      const captions = page.getByRole('group', { name: 'Captions' });
      // As much of the coach's line as was heard by then.
      await captions.getByText(/^Of course,/).waitFor();
      await captions.getByText(`You: ${BREAKS_IN}`).waitFor();
    }
  });
  await page.getByRole('tab', { name: 'Audio' }).click();
  await page.getByText(BREAKS_IN).first().waitFor();
});
