/** Steps of one spoken turn with a model coach. */
import { padWav, synthesise } from '@parley/test-kit';
import type { Page } from 'playwright';
import { speakTurn } from './turns.ts';
import { LIVE_PRACTICE } from './typed-session.ts';
import { type ModelCoachServer, answerWith } from '../servers/model-coach-server.ts';

const SAID = 'I am sorry, the delivery will be two weeks late.';

/** The microphone's input; null when espeak-ng is not installed. */
export function turnMicrophoneInput(): Buffer | null {
  const voice = synthesise(SAID);
  return voice === null ? null : padWav(voice, { beforeMs: 500, afterMs: 1_500 });
}

/** Starts on any screen and ends when the coach has answered. */
export async function practiseBySpokenTurn(
  page: Page,
  { cannedResponses }: ModelCoachServer,
  onStep: (name: 'live-heard' | 'live-spoken') => Promise<void>,
): Promise<void> {
  cannedResponses.reply.push(answerWith('Good morning, this is Grace. I was told that you have news about our order?'));
  await page.getByRole('link', { name: 'Practise', exact: true }).click();
  await page.getByRole('link', { name: new RegExp(LIVE_PRACTICE) }).click();
  await page.getByRole('heading', { name: LIVE_PRACTICE }).waitFor();
  await page.getByText('Taking turns', { exact: true }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  cannedResponses.transcript.push(answerWith(SAID));
  await speakTurn(page, 5_000);
  await page.getByText(SAID).first().waitFor();
  await onStep('live-heard');
  cannedResponses.reply.push(
    answerWith('Two weeks? That is hard for us. What happened, and what can you do about it?'),
  );
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('What happened, and what can you do about it?').waitFor();
  await page.getByRole('button', { name: 'Speak', exact: true }).waitFor();
  await onStep('live-spoken');
}
