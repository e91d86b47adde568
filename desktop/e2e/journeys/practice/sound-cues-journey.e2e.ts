/**
 * Sound cues in a spoken practice: when they play, that no recording contains one, and that they can be switched off.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { padWav, samplesOf, synthesise } from '@parley/test-kit';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { setUpDevice } from '../../app/set-up-device.ts';
import { DEAD_SERVER, type OpenOptions } from '../../app/device.ts';
import { findInside } from '../../sound/compare-audio.ts';
import { installLoopbackRoom, type LoopbackRoom } from '../../sound/loopback-room.ts';
import { speakTurn } from '../../steps/turns.ts';

const SAMPLE_RATE_HZ = 16_000;
const PRACTICE = 'Give a stand-up update';
const PADDING = { beforeMs: 700, afterMs: 2_500 };
const START_MS = 80;
const STOP_MS = 80;
const YOUR_TURN_MS = 185;
const COULD_NOT_HEAR_MS = 140;

const reply = synthesise('I finished the report.');
if (reply === null) console.warn('skipped: synthesised speech requires espeak-ng (Debian: espeak-ng)');

const laptop = setUpDevice(DEAD_SERVER);

async function open(options: OpenOptions): Promise<Page> {
  const page = await laptop.open(options);
  await page.addInitScript(installLoopbackRoom);
  await page.reload();
  return page;
}

async function openUnfinished(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('list', { name: 'Conversation' }).waitFor();
}

const cuesOf = (page: Page): Promise<LoopbackRoom['cues']> => page.evaluate(() => globalThis.loopbackRoom.cues);
const lengthsOf = async (page: Page): Promise<number[]> => (await cuesOf(page)).map(({ lengthMs }) => lengthMs);

async function newestRecording(): Promise<Float32Array> {
  const folder = join(laptop.dataDir, 'recordings');
  // The recordings' names are ids that grow with time.
  const newest = (await readdir(folder)).toSorted().at(-1) ?? '';
  return samplesOf(await readFile(join(folder, newest)));
}

describe.skipIf(reply === null)('sound cues', () => {
  it('say that it is the learner’s turn, once the coach has spoken', async () => {
    const page = await open({ microphone: padWav(reply ?? Buffer.alloc(0), PADDING) });
    await page.getByRole('link', { name: 'Practise', exact: true }).click();
    await page.getByRole('link', { name: new RegExp(PRACTICE) }).click();
    await page.getByText('Easy', { exact: true }).click();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('button', { name: 'Continue without a check' }).click();
    await expect.poll(() => lengthsOf(page)).toEqual([YOUR_TURN_MS]);
    expect((await cuesOf(page)).map(({ duringSpeech }) => duringSpeech)).toEqual([false]);
  });

  it('mark the start and end of a recording and are not recorded', async () => {
    const page = await open({ microphone: padWav(reply ?? Buffer.alloc(0), PADDING) });
    await openUnfinished(page);
    await expect.poll(() => lengthsOf(page)).toEqual([YOUR_TURN_MS]);
    await speakTurn(page, 3_000);
    await page.getByText('We heard').waitFor();
    await page.getByText('I finished the report.').first().waitFor();
    expect(await lengthsOf(page)).toEqual([YOUR_TURN_MS, START_MS, STOP_MS]);
    // The cues did reach the microphone in this room.
    expect(await page.evaluate(() => globalThis.loopbackRoom.loudest())).toBeGreaterThan(0.03);
    const [delayMs = Number.NaN] = await page.evaluate(() => globalThis.loopbackRoom.captureDelaysMs);
    // About 200 ms on an idle machine; the app never waits longer than half a second.
    expect(delayMs).toBeLessThan(600);

    const recording = await newestRecording();
    for (const { samples } of await cuesOf(page))
      expect(findInside(recording, Float32Array.from(samples)).correlation).toBeLessThan(0.7);
    // The learner began to speak 700 ms after the microphone was open, so everything before that must be silent.
    const before = recording.subarray(0, SAMPLE_RATE_HZ * 0.15);
    expect(Math.max(...before.map(Math.abs))).toBeLessThan(0.005);
  });

  it('say that a recording has to be made again', async () => {
    const page = await open({ microphone: padWav(Buffer.from(reply ?? []), { beforeMs: 20_000, afterMs: 0 }) });
    await openUnfinished(page);
    await page.getByRole('button', { name: 'Say it again' }).click();
    await page.getByText('Recording').waitFor();
    await page.waitForTimeout(1_500);
    await page.getByRole('button', { name: 'Stop and check what we heard' }).click();
    await page.getByText('We couldn’t hear you').waitFor();
    await expect.poll(() => lengthsOf(page)).toEqual([START_MS, STOP_MS, COULD_NOT_HEAR_MS]);
  });

  it('are not played once they are switched off', async () => {
    const page = await open({ microphone: padWav(reply ?? Buffer.alloc(0), PADDING) });
    await page.goto(`${page.url().split('#')[0]}#/settings`);
    await page.getByRole('switch', { name: 'Sound cues' }).press('Space');
    await page.getByRole('link', { name: 'Today', exact: true }).click();
    await openUnfinished(page);
    await page.getByRole('button', { name: 'Say it again' }).click();
    await page.getByText('Recording').waitFor();
    await page.waitForTimeout(3_000);
    await page.getByRole('button', { name: 'Stop and check what we heard' }).click();
    await page.getByText('We heard').waitFor();
    expect(await cuesOf(page)).toEqual([]);
  });
});
