/** A call in a real browser: what the microphone hears when, what the coach says, and when each stopped for the other. */
import { synthesise, wavOf } from '@parley/test-kit';
import type { Page } from 'playwright';
import { LIVE_PRACTICE } from './hold-live.ts';
import { json, type LiveServer } from './live-server.ts';

/** The learner's sentence, an "mm-hm" over the coach's words, and a sentence that breaks in: ms from the microphone's beginning. */
const SENTENCE_AT_MS = 6_000;
const MM_HM_AT_MS = 17_000;
const MM_HM_MS = 320;
const BREAKS_IN_AT_MS = 22_000;
const HEADER_BYTES = 44;

export const BREAKS_IN = 'Sorry, may I say something?';

export interface Heard {
  text: string;
  microphone: Buffer;
}

/** Null where this machine has no voice. */
export function heardInCall(): Heard | null {
  const text = 'I am sorry, the delivery will be two weeks late.';
  const interruption = synthesise(BREAKS_IN);
  const spoken = synthesise(text);
  if (interruption === null || spoken === null) return null;
  const rateHz = 16_000;
  const timeline = Buffer.alloc(28 * rateHz * 2);
  const put = (wav: Buffer, atMs: number, longestMs = Infinity): void => {
    const samples = wav.readUInt32LE(24) === rateHz ? wav.subarray(HEADER_BYTES) : resampled(wav, rateHz);
    const bytes = Math.min(samples.length, longestMs * 32);
    samples.copy(timeline, atMs * 32, 0, bytes);
  };
  put(spoken, SENTENCE_AT_MS);
  put(interruption, MM_HM_AT_MS, MM_HM_MS);
  put(interruption, BREAKS_IN_AT_MS);
  return { text, microphone: wavOf(timeline, rateHz) };
}

/** By the nearest sample: good enough for a voice that only has to be noticed. */
function resampled(wav: Buffer, toHz: number): Buffer {
  const fromHz = wav.readUInt32LE(24);
  const count = Math.floor(((wav.length - HEADER_BYTES) / 2) * (toHz / fromHz));
  const samples = Buffer.alloc(count * 2);
  for (let index = 0; index < count; index += 1)
    samples.writeInt16LE(wav.readInt16LE(HEADER_BYTES + Math.floor((index * fromHz) / toHz) * 2), index * 2);
  return samples;
}

export interface Stop {
  (name: 'call-briefing' | 'call-speaking' | 'call-listening' | 'call-moment' | 'call-result'): Promise<void>;
}

/** Begins at any screen; ends at the result. */
export async function holdCall(page: Page, { says, realtime }: LiveServer, heard: Heard, stop: Stop): Promise<void> {
  realtime.script.says(
    { text: 'Good morning, this is Grace. I was told that you have news about our order?', audioMs: 2_500 },
    {
      text: 'Two weeks? That is hard for us, because our own clients wait for these parts, and we have promised them for the end of the month. Tell me what happened at the supplier, and what you can do so that at least one half of the parts is here in time.',
      audioMs: 24_000,
    },
    { text: 'Of course, please go on.', audioMs: 1_500 },
  );
  realtime.script.hears(heard.text, 'Mm-hm.', BREAKS_IN);
  says.judge.push(json({ proofs: [{ objective: 1, words: 'two weeks late' }] }));

  await page.getByRole('link', { name: 'Practise', exact: true }).click();
  await page.getByRole('link', { name: new RegExp(LIVE_PRACTICE) }).click();
  await page.getByRole('heading', { name: LIVE_PRACTICE }).waitFor();
  await page.getByText('As in a call', { exact: true }).click();
  await stop('call-briefing');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('heading', { name: 'Microphone check' }).waitFor();
  await page.getByRole('button', { name: 'Go on without a check' }).click();

  await page.getByText('Good morning, this is Grace.').waitFor();
  await page.getByText('Two weeks? That is hard for us').waitFor();
  await stop('call-speaking');
  await page.getByText(`You: ${BREAKS_IN}`).waitFor();
  await page.getByText('Of course, please go on.').waitFor();
  await stop('call-listening');
  await page.getByRole('button', { name: 'Give me a moment' }).click();
  await page.getByText('Take your time.').waitFor();
  await stop('call-moment');
  await page.getByRole('button', { name: 'End …' }).click();
  await page.getByRole('button', { name: 'Finish and see the result' }).click();
  await page.getByRole('tab', { name: 'Sound' }).waitFor();
  await stop('call-result');
}

export interface Mark {
  name: string;
  atMs: number;
}

/** When what happened, by the window's own clock. */
export const marksOf = (page: Page): Promise<Mark[]> =>
  page.evaluate(() =>
    performance
      .getEntriesByType('mark')
      .filter(({ name }) => name.startsWith('call:'))
      .map(({ name, startTime }) => ({ name, atMs: startTime }))
      .toSorted((a, b) => a.atMs - b.atMs),
  );
