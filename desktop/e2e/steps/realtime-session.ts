/** Steps of a call in a real browser, with a scripted microphone and a scripted coach. */
import { synthesise, toWav } from '@parley/test-kit';
import type { Page } from 'playwright';
import { LIVE_PRACTICE } from './typed-session.ts';
import { answerWithJson, type ModelCoachServer } from '../servers/model-coach-server.ts';

/** When the learner speaks, says "mm-hm" and interrupts, in ms from the start of the microphone. */
const SENTENCE_AT_MS = 6_000;
const MM_HM_AT_MS = 17_000;
const MM_HM_MS = 320;
const INTERRUPTION_AT_MS = 22_000;
const HEADER_BYTES = 44;

export const INTERRUPTION = 'Sorry, may I say something?';

export interface CallAudio {
  text: string;
  microphone: Buffer;
}

/** Null when espeak-ng is not installed. */
export function callMicrophoneInput(): CallAudio | null {
  const text = 'I am sorry, the delivery will be two weeks late.';
  const interruption = synthesise(INTERRUPTION);
  const spoken = synthesise(text);
  if (interruption === null || spoken === null) return null;
  const rateHz = 16_000;
  const timeline = Buffer.alloc(28 * rateHz * 2);
  const mixIn = (wav: Buffer, atMs: number, longestMs = Infinity): void => {
    const samples = wav.readUInt32LE(24) === rateHz ? wav.subarray(HEADER_BYTES) : resampled(wav, rateHz);
    const bytes = Math.min(samples.length, longestMs * 32);
    samples.copy(timeline, atMs * 32, 0, bytes);
  };
  mixIn(spoken, SENTENCE_AT_MS);
  mixIn(interruption, MM_HM_AT_MS, MM_HM_MS);
  mixIn(interruption, INTERRUPTION_AT_MS);
  return { text, microphone: toWav(timeline, rateHz) };
}

/** Nearest-sample resampling is good enough for speech that only has to be detected. */
function resampled(wav: Buffer, toHz: number): Buffer {
  const fromHz = wav.readUInt32LE(24);
  const count = Math.floor(((wav.length - HEADER_BYTES) / 2) * (toHz / fromHz));
  const samples = Buffer.alloc(count * 2);
  for (let index = 0; index < count; index += 1)
    samples.writeInt16LE(wav.readInt16LE(HEADER_BYTES + Math.floor((index * fromHz) / toHz) * 2), index * 2);
  return samples;
}

/** Starts on any screen. */
export async function startCall(page: Page, onBriefing: () => Promise<void> = async () => undefined): Promise<void> {
  await page.getByRole('link', { name: 'Practise', exact: true }).click();
  await page.getByRole('link', { name: new RegExp(LIVE_PRACTICE) }).click();
  await page.getByRole('heading', { name: LIVE_PRACTICE }).waitFor();
  await page.getByText('As a call', { exact: true }).click();
  await onBriefing();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('heading', { name: 'Microphone check' }).waitFor();
  await page.getByRole('button', { name: 'Continue without a check' }).click();
}

export interface OnStep {
  (name: 'call-briefing' | 'call-speaking' | 'call-listening' | 'call-moment' | 'call-result'): Promise<void>;
}

/** Starts on any screen and ends on the result. */
export async function practiseByCall(
  page: Page,
  { cannedResponses, realtime }: ModelCoachServer,
  heard: CallAudio,
  onStep: OnStep,
): Promise<void> {
  realtime.script.queueReplies(
    { text: 'Good morning, this is Grace. I was told that you have news about our order?', audioMs: 2_500 },
    {
      text: 'Two weeks? That is hard for us, because our own clients wait for these parts, and we have promised them for the end of the month. Tell me what happened at the supplier, and what you can do so that at least one half of the parts is here in time.',
      audioMs: 24_000,
    },
    { text: 'Of course, please go on.', audioMs: 1_500 },
  );
  realtime.script.queueTranscripts(heard.text, 'Mm-hm.', INTERRUPTION);
  cannedResponses.judge.push(answerWithJson({ proofs: [{ objective: 1, words: 'two weeks late' }] }));

  await startCall(page, () => onStep('call-briefing'));

  await page.getByText('Good morning, this is Grace.').waitFor();
  await page.getByText('Two weeks? That is hard for us').waitFor();
  await onStep('call-speaking');
  await page.getByText(`You: ${INTERRUPTION}`).waitFor();
  await page.getByText('Of course, please go on.').waitFor();
  await onStep('call-listening');
  // The words appear before they are played. On a fast computer, none of them would have been heard yet.
  await page.waitForTimeout(1_000);
  await page.getByRole('button', { name: 'Give me a moment' }).click();
  await page.getByText('Take your time.').waitFor();
  cannedResponses.hint.push(
    answerWithJson({ replies: [{ keywords: 'broken lorry', sentence: 'The lorry of our supplier broke down.' }] }),
  );
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.getByText('broken lorry').waitFor();
  await onStep('call-moment');
  await page.getByRole('button', { name: 'End…' }).click();
  await page.getByRole('button', { name: 'Finish and see the result' }).click();
  await page.getByRole('tab', { name: 'Sound' }).waitFor();
  await onStep('call-result');
}

export interface Mark {
  name: string;
  atMs: number;
}

/** The performance marks of the call, in order. */
export const readMarks = (page: Page): Promise<Mark[]> =>
  page.evaluate(() =>
    performance
      .getEntriesByType('mark')
      .filter(({ name }) => name.startsWith('call:'))
      .map(({ name, startTime }) => ({ name, atMs: startTime }))
      .toSorted((a, b) => a.atMs - b.atMs),
  );
