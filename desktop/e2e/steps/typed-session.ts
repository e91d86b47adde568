/** Steps of a scripted session with a model coach, in writing, from the briefing to the result. */
import type { Page } from 'playwright';
import { answerWithJson, type ModelCoachServer, answerWith } from '../servers/model-coach-server.ts';

export interface OnStep {
  (
    name:
      | 'live-briefing'
      | 'live-answering'
      | 'live-conversation'
      | 'live-failed'
      | 'live-unreviewed'
      | 'live-result'
      | 'live-language'
      | 'coach',
  ): Promise<void>;
}

export const LIVE_PRACTICE = 'Explain a delay to a client';

const REJECTED = { does: 'reject', status: 401 } as const;

export async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel('Write your answer').fill(text);
  await page.getByLabel('Write your answer').press('Enter');
}

/** Starts on any screen. */
export async function practiseInWriting(
  page: Page,
  { cannedResponses }: ModelCoachServer,
  onStep: OnStep,
): Promise<void> {
  await chooseWriting(page);
  await onStep('live-briefing');

  cannedResponses.reply.push(answerWith('Good morning, this is Grace. I was told that you have news about our order?'));
  await page.getByRole('button', { name: 'Start' }).click();
  await page
    .getByText(/I was told that you have/)
    .first()
    .waitFor();
  await onStep('live-answering');

  cannedResponses.reply.push(
    answerWith('Two weeks? That is hard for us. What happened, and what can you do about it?'),
  );
  cannedResponses.judge.push(answerWithJson({ proofs: [{ objective: 1, words: 'two weeks late' }] }));
  await write(page, 'Yes. I am sorry, the delivery will be two weeks late.');
  await page.getByText('What happened, and what can you do about it?').waitFor();
  if ((await page.getByLabel('Write your answer').inputValue()) !== '')
    throw new Error('The sent text was restored as a draft.');
  await onStep('live-conversation');

  cannedResponses.hint.push(REJECTED);
  await page.getByRole('button', { name: 'Give me a hint' }).click();
  await page.getByText(/The AI service refuses the server’s key/).waitFor();
  cannedResponses.hint.push(
    answerWithJson({ replies: [{ keywords: 'the supplier', sentence: 'Our supplier has a problem.' }] }),
  );
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('You could talk about').waitFor();
  await page.getByRole('button', { name: 'Show me how to start' }).waitFor();

  cannedResponses.reply.push(REJECTED);
  await write(page, 'The supplier have a problem with a ship. We can to send one half tomorrow. Goodbye!');
  await page.getByText(/The AI service refuses the server’s key/).waitFor();
  await onStep('live-failed');

  cannedResponses.reply.push(
    answerWith('Half of them tomorrow would help a lot. Please send me that by e-mail. Goodbye! <goodbye/>'),
  );
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'See your result' }).waitFor();
  cannedResponses.review.push(REJECTED);
  await page.getByRole('button', { name: 'See your result' }).click();
  await page.getByText('Your coach couldn’t be reached').waitFor();
  await onStep('live-unreviewed');
  cannedResponses.review.push(answerWithJson(REVIEW));
  await page.getByRole('button', { name: 'Ask now' }).click();
  await page.getByText(REVIEW.best).waitFor();
  await onStep('live-result');
  await page.getByRole('tab', { name: 'Language' }).click();
  await page.getByText('After “can” there is no “to”.').scrollIntoViewIfNeeded();
  await onStep('live-language');

  await page.getByRole('link', { name: 'Coach', exact: true }).click();
  await page.getByText(REVIEW.remember[0]).waitFor();
  await onStep('coach');
}

/** Opens the briefing from any screen and chooses writing, without pressing Start. */
export async function chooseWriting(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Practise', exact: true }).click();
  await page.getByRole('link', { name: new RegExp(LIVE_PRACTICE) }).click();
  await page.getByRole('heading', { name: LIVE_PRACTICE }).waitFor();
  await page.getByText('Live coach', { exact: true }).waitFor();
  await page.getByText('In writing', { exact: true }).click();
}

/** Starts a session by voice, turn by turn, from any screen. */
export async function beginByVoice(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Practise', exact: true }).click();
  await page.getByRole('link', { name: new RegExp(LIVE_PRACTICE) }).click();
  await page.getByRole('heading', { name: LIVE_PRACTICE }).waitFor();
  await page.getByText('Taking turns', { exact: true }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  // The microphone is checked only before the first conversation by voice.
  const check = page.getByRole('button', { name: 'Continue without a check' });
  await check
    .or(page.getByRole('list', { name: 'Conversation' }))
    .first()
    .waitFor();
  if (await check.isVisible()) await check.click();
}

/** When the newest reply was first heard and when its text was complete, by the page's clock. */
export const readCoachMarks = (page: Page): Promise<{ soundMs: number; lineMs: number }> =>
  page.evaluate(() => {
    const last = (name: string): number => performance.getEntriesByName(name, 'mark').at(-1)?.startTime ?? Number.NaN;
    return { soundMs: last('coach:sound'), lineMs: last('coach:line') };
  });

export const REVIEW = {
  best: 'You named the delay at once: “the delivery will be two weeks late”.',
  fix: 'After “can” the verb stands alone: “we can send”.',
  nextStep: 'Hold it again and give a date for the second half.',
  summary: 'You told Grace that the delivery is two weeks late and offered to send half of them.',
  corrections: [
    {
      said: 'The supplier have a problem',
      better: 'The supplier has a problem',
      why: 'One supplier: the verb takes an “s”.',
    },
    {
      said: 'We can to send one half tomorrow',
      better: 'We can send one half tomorrow',
      why: 'After “can” there is no “to”.',
    },
  ],
  remember: ['The learner works with clients who wait for deliveries.', 'The learner has two suppliers.'],
  languageQuality: 68,
} as const;
