/** A live conversation by voice, turn by turn: spoken into the microphone, written down, scored, sent, answered. */
import { padWav, synthesise } from '@parley/test-kit';
import type { Page } from 'playwright';
import { LIVE_PRACTICE } from './hold-live.ts';
import { type LiveServer, saying } from './live-server.ts';

const SAID = 'I am sorry, the delivery will be two weeks late.';

/** What the microphone hears; null where this machine has no voice. */
export function heardInTurn(): Buffer | null {
  const voice = synthesise(SAID);
  return voice === null ? null : padWav(voice, { beforeMs: 500, afterMs: 1_500 });
}

/** Begins at any screen; ends when the coach has answered. */
export async function speakLive(
  page: Page,
  { says }: LiveServer,
  stop: (name: 'live-heard' | 'live-spoken') => Promise<void>,
): Promise<void> {
  says.reply.push(saying('Good morning, this is Grace. I was told that you have news about our order?'));
  await page.getByRole('link', { name: 'Practise', exact: true }).click();
  await page.getByRole('link', { name: new RegExp(LIVE_PRACTICE) }).click();
  await page.getByRole('heading', { name: LIVE_PRACTICE }).waitFor();
  await page.getByText('One by one', { exact: true }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await page.getByText('Recording').waitFor();
  says.transcript.push(saying(SAID));
  await page.waitForTimeout(5_000);
  await page.getByRole('button', { name: 'Stop and see what was heard' }).click();
  await page.getByText(SAID).first().waitFor();
  await stop('live-heard');
  says.reply.push(saying('Two weeks? That is hard for us. What happened, and what can you do about it?'));
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('What happened, and what can you do about it?').waitFor();
  await page.getByRole('button', { name: 'Speak', exact: true }).waitFor();
  await stop('live-spoken');
}
