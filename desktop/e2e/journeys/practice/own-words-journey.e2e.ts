/**
 * A whole practice by voice, offline, in the learner's own words: none of the answers is a line of the practice. One
 * word of a draft is corrected with a click on one of its alternatives.
 */
import { padWav, samplesOf, synthesise } from '@parley/test-kit';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { setUpDevice } from '../../app/set-up-device.ts';
import { DEAD_SERVER } from '../../app/device.ts';
import { correctWords, speakTurn } from '../../steps/turns.ts';

const PRACTICE = 'Give a stand-up update';
const FIRST_LINE = 'Good morning. What did you do yesterday?';
/** The learner's words, and the coach's reply to them. */
const TURNS = [
  { said: 'I wrote the budget for our new office and sent it to my boss.', answer: 'What will you do today?' },
  { said: 'This afternoon I am meeting the designers about the home page.', answer: 'Is there any problem?' },
  { said: 'My laptop stops all the time and I lose a lot of work.', answer: 'What do you need today?' },
  { said: 'I need somebody who can repair it this week.', answer: 'When do you need it?' },
  { said: 'By Thursday would be great.', answer: 'Thursday is fine.' },
];
const PADDING = { beforeMs: 700, afterMs: 2_500 };

const hasVoice = synthesise('Hello.') !== null;
if (!hasVoice) console.warn('skipped: synthesised speech requires espeak-ng (Debian: espeak-ng)');

describe.skipIf(!hasVoice)('a practice in one’s own words', { tags: ['slow'] }, () => {
  const laptop = setUpDevice(DEAD_SERVER);

  it('is spoken, scored and understood to its end without a network', { timeout: 240_000 }, async () => {
    let page = await laptop.open();
    await startPractice(page);
    const wordCounts = { said: 0, drafted: 0 };
    for (const { said, answer } of TURNS) {
      const voice = synthesise(said);
      if (voice === null) throw new Error('espeak-ng has gone');
      // Chromium plays a microphone file from its start, so the window is reopened for each turn.
      page = await laptop.open({ microphone: padWav(voice, PADDING) });
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('list', { name: 'Conversation' }).waitFor();
      await speakTurn(page, samplesOf(voice).length / 16 + 1_000);
      const drafted = await correctWords(page, said);
      const words = said.toLowerCase().match(/[a-z']+/g) ?? [];
      wordCounts.said += words.length;
      wordCounts.drafted += words.filter((word) => drafted.some((other) => other.toLowerCase() === word)).length;
      await page.getByText('We heard').waitFor();
      await page.getByRole('img', { name: /^Pronunciation: \d+ of 100$/ }).waitFor();
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText(answer).first().waitFor();
    }
    // Fewer than one correction for every four words.
    expect(wordCounts.drafted / wordCounts.said).toBeGreaterThan(0.75);
    await page.getByRole('button', { name: 'See your result' }).click();
    await page.getByRole('img', { name: /^Overall score: \d+ of 100$/ }).waitFor();
    expect(await page.getByText('(reached)').count()).toBe(4);
  });
});

describe.skipIf(!hasVoice)('a draft with a doubtful word', { tags: ['slow'] }, () => {
  const laptop = setUpDevice(DEAD_SERVER);

  it('is corrected with a click on an alternative, and its corrected text is scored', async () => {
    await startPractice(await laptop.open());
    const voice = synthesise('I washed the car and the van.');
    if (voice === null) throw new Error('espeak-ng has gone');
    const page = await laptop.open({ microphone: padWav(voice, PADDING) });
    await page.getByRole('button', { name: 'Continue' }).click();
    await speakTurn(page, samplesOf(voice).length / 16 + 1_000);
    await page.getByText('We heard').waitFor({ timeout: 60_000 });
    await page.getByText('I washed the car and the man').waitFor();
    await page.getByText('Parley isn’t sure of the marked words. Choose one to change it.').waitFor();
    await page.getByRole('button', { name: 'man', exact: true }).click();
    await page.getByRole('button', { name: 'van', exact: true }).click();
    const corrected = page.getByText('I washed the car and the van');
    await corrected.waitFor();
    await page.getByText('This computer transcribed what you said.').waitFor();
    // The pressed button is gone, and the keyboard stays where it was.
    expect(await corrected.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.getByRole('img', { name: /^Pronunciation: \d+ of 100$/ }).waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    const sent = page.getByRole('listitem').filter({ hasText: 'I washed the car and the van' });
    await sent.getByRole('button', { name: /^Pronunciation \d+ of 100\. Show the feedback$/ }).waitFor();
  });
});

async function startPractice(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Practise', exact: true }).click();
  await page.getByRole('link', { name: new RegExp(PRACTICE) }).click();
  await page.getByText('Easy', { exact: true }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Continue without a check' }).click();
  await page.getByText(FIRST_LINE).waitFor();
}
