/** A call in a real browser with a real microphone path: who speaks over the coach is heard at once, an "mm-hm" interrupts nobody. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible } from './support/accessible.ts';
import { createDevice, type Device } from './support/device.ts';
import { BREAKS_IN, heardInCall, holdCall, type Mark, marksOf } from './support/hold-call.ts';
import { type LiveServer, startLiveServer } from './support/live-server.ts';

const heard = heardInCall();
if (heard === null) console.warn('skipped: a call needs a voice, espeak-ng (Debian: espeak-ng)');

/** Longer, and a learner believes that they were not heard. */
const STOPS_WITHIN_MS = 150;

let server: LiveServer;
let laptop: Device;
beforeAll(async () => {
  server = await startLiveServer();
  laptop = await createDevice();
  await laptop.start(server.address);
});
afterAll(async () => {
  await laptop.remove();
  await server.stop();
});

const lastBefore = (marks: readonly Mark[], name: string, atMs: number): number =>
  marks.findLast((mark) => mark.name === name && mark.atMs <= atMs)?.atMs ?? Number.NaN;

it.skipIf(heard === null)('a call is held, broken in on, paused, ended and scored', async () => {
  if (heard === null) return;
  const page = await laptop.open({ microphone: heard.microphone });
  await holdCall(page, server, heard, async (name) => {
    if (name === 'call-listening') {
      const marks = await marksOf(page);
      const yielded = marks.filter(({ name }) => name === 'call:yields');
      const interrupted = marks.filter(({ name }) => name === 'call:barge-in');
      const [silent] = marks.filter(({ name, atMs }) => name === 'call:silent' && atMs >= (interrupted[0]?.atMs ?? 0));
      // Once for the "mm-hm", once for the sentence that breaks in; only that one stops the coach.
      expect(yielded).toHaveLength(2);
      expect(interrupted).toHaveLength(1);
      const [bargeIn] = interrupted;
      if (bargeIn === undefined || silent === undefined) throw new Error('the coach was not stopped');
      for (const { atMs } of yielded)
        expect(atMs - lastBefore(marks, 'call:voice', atMs)).toBeLessThan(STOPS_WITHIN_MS);
      expect(silent.atMs - bargeIn.atMs).toBeLessThan(STOPS_WITHIN_MS);
      const ownMs = (atMs: number): number => Math.round(atMs - lastBefore(marks, 'call:voice', atMs));
      const beganAtMs = lastBefore(marks, 'call:voice', yielded[1]?.atMs ?? 0);
      console.info(
        `quieter ${yielded.map(({ atMs }) => ownMs(atMs)).join(' and ')} ms after a voice began, ` +
          `known to be no "mm-hm" after ${Math.round(bargeIn.atMs - beganAtMs)} ms, silent ${Math.round(silent.atMs - bargeIn.atMs)} ms later`,
      );
    }
    await expectAccessible(page);
  });
  await page.getByRole('tab', { name: 'Audio' }).click();
  await page.getByText(BREAKS_IN).first().waitFor();
});
