/** A live conversation from its briefing to its result, in words that are scripted; stops to be looked at on the way. */
import type { Page } from 'playwright';
import { json, type LiveServer, saying } from './live-server.ts';

export interface Stop {
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

const BROKEN = { does: 'reject', status: 401 } as const;

export async function write(page: Page, text: string): Promise<void> {
  await page.getByLabel('Write your answer').fill(text);
  await page.getByLabel('Write your answer').press('Enter');
}

/** Begins at any screen, in writing. */
export async function holdLive(page: Page, { says }: LiveServer, stop: Stop): Promise<void> {
  await chooseWriting(page);
  await stop('live-briefing');

  says.reply.push(saying('Good morning, this is Grace. I was told that you have news about our order?'));
  await page.getByRole('button', { name: 'Start' }).click();
  await page
    .getByText(/I was told that you have/)
    .first()
    .waitFor();
  await stop('live-answering');

  says.reply.push(saying('Two weeks? That is hard for us. What happened, and what can you do about it?'));
  says.judge.push(json({ proofs: [{ objective: 1, words: 'two weeks late' }] }));
  await write(page, 'Yes. I am sorry, the delivery will be two weeks late.');
  await page.getByText('What happened, and what can you do about it?').waitFor();
  if ((await page.getByLabel('Write your answer').inputValue()) !== '')
    throw new Error('what was sent is a draft again');
  await stop('live-conversation');

  says.hint.push(BROKEN);
  await page.getByRole('button', { name: 'Give me a hint' }).click();
  await page.getByText(/The server cannot use its coach/).waitFor();
  says.hint.push(json({ replies: [{ keywords: 'the supplier', sentence: 'Our supplier has a problem.' }] }));
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('You could talk about').waitFor();
  await page.getByRole('button', { name: 'Show me how to begin' }).waitFor();

  says.reply.push(BROKEN);
  await write(page, 'The supplier have a problem with a ship. We can to send one half tomorrow. Goodbye!');
  await page.getByText(/The server cannot use its coach/).waitFor();
  await stop('live-failed');

  says.reply.push(saying('Half of them tomorrow would help a lot. Please send me that by e-mail. Goodbye! <goodbye/>'));
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'See your result' }).waitFor();
  says.review.push(BROKEN);
  await page.getByRole('button', { name: 'See your result' }).click();
  await page.getByText('Your coach could not be reached').waitFor();
  await stop('live-unreviewed');
  says.review.push(json(REVIEW));
  await page.getByRole('button', { name: 'Ask now' }).click();
  await page.getByText(REVIEW.best).waitFor();
  await stop('live-result');
  await page.getByRole('tab', { name: 'Language' }).click();
  await page.getByText('After “can” there is no “to”.').scrollIntoViewIfNeeded();
  await stop('live-language');

  await page.getByRole('link', { name: 'Coach', exact: true }).click();
  await page.getByText(REVIEW.remember[0]).waitFor();
  await stop('coach');
}

/** From any screen to a briefing, with all but Start pressed. */
export async function chooseWriting(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Practise', exact: true }).click();
  await page.getByRole('link', { name: new RegExp(LIVE_PRACTICE) }).click();
  await page.getByRole('heading', { name: LIVE_PRACTICE }).waitFor();
  await page.getByText('Freely', { exact: true }).waitFor();
  await page.getByText('In writing', { exact: true }).click();
}

/** Begins a conversation by voice, turn by turn, at any screen. */
export async function beginByVoice(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Practise', exact: true }).click();
  await page.getByRole('link', { name: new RegExp(LIVE_PRACTICE) }).click();
  await page.getByRole('heading', { name: LIVE_PRACTICE }).waitFor();
  await page.getByText('One by one', { exact: true }).click();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Go on without a check' }).click();
}

/** When the coach was first heard, and when its line was whole: by the window's own clock, of the newest line. */
export const coachMarks = (page: Page): Promise<{ soundMs: number; lineMs: number }> =>
  page.evaluate(() => {
    const last = (name: string): number => performance.getEntriesByName(name, 'mark').at(-1)?.startTime ?? Number.NaN;
    return { soundMs: last('coach:sound'), lineMs: last('coach:line') };
  });

export const REVIEW = {
  best: 'You named the delay at once and said sorry: nobody had to ask twice.',
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
  remember: ['The learner works with clients who wait for deliveries.'],
  languageQuality: 68,
} as const;
