/** Steps of a learner's turn, by voice and in writing. */
import type { Page } from 'playwright';

/** Begins a turn and speaks for this long, while the microphone file plays. */
export async function speakFor(page: Page, ms: number): Promise<void> {
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await page.getByText('Recording').waitFor();
  await page.waitForTimeout(ms);
}

export const stopSpeaking = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Stop and check what we heard' }).click();

/** Speaks for this long, then waits for the recognised text. */
export async function speakTurn(page: Page, ms: number): Promise<void> {
  await speakFor(page, ms);
  await stopSpeaking(page);
}

/** Corrects the draft transcript, or types what was said if there is none. Returns the drafted words. */
export async function correctWords(page: Page, said: string): Promise<string[]> {
  const toCorrect = page.getByRole('button', { name: 'Correct the words' });
  const field = page.getByLabel('Or write what you said');
  await field.or(toCorrect).waitFor();
  if (!(await toCorrect.isVisible())) {
    await field.fill(said);
    await page.getByRole('button', { name: 'Score this' }).click();
    return [];
  }
  await toCorrect.click();
  const draft = page.getByLabel('Write what you said', { exact: true });
  const drafted = await draft.inputValue();
  await draft.fill(said);
  await page.getByRole('button', { name: 'Score this' }).click();
  return drafted.split(' ');
}

/** Sends a turn in writing and waits for the coach's reply. */
export async function writeTurn(page: Page, text: string): Promise<void> {
  const field = page.getByLabel('Write your answer');
  const toWriting = page.getByRole('button', { name: 'Write instead' });
  // While the coach is replying, neither is on screen.
  await field.or(toWriting).waitFor();
  if (await toWriting.isVisible()) await toWriting.click();
  const turns = page.getByRole('list', { name: 'Conversation' }).getByRole('listitem');
  const before = await turns.count();
  await field.fill(text);
  await field.press('Enter');
  await turns.nth(before + 1).waitFor({ timeout: 10_000 });
}
