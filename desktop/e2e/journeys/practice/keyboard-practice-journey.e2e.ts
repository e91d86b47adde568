/**
 * Practising by keyboard alone, in a real Chromium: where the focus is after each step, and what a second press does.
 */
import type { Locator, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { setUpDevice } from '../../app/set-up-device.ts';
import { openWrittenBriefing, startInWriting } from '../../steps/start-in-writing.ts';

const device = setUpDevice(null);

const goTo = (page: Page, hash: string): Promise<unknown> => page.goto(`${page.url().split('#')[0]}#${hash}`);

async function pressEnterOn(control: Locator): Promise<void> {
  await control.focus();
  await control.page().keyboard.press('Enter');
}

/** Presses Enter twice without waiting for the page in between, as with a worn key. */
async function pressEnterTwice(control: Locator): Promise<void> {
  await control.focus();
  const { keyboard } = control.page();
  await Promise.all([keyboard.press('Enter'), keyboard.press('Enter')]);
}

/** Presses Enter again while the page is changing and soon after it has changed, as with a heavy hand. */
async function tapEnter(control: Locator): Promise<void> {
  await control.focus();
  const page = control.page();
  for (let tap = 0; tap < 4; tap += 1) {
    await page.keyboard.press('Enter');
    await page.waitForTimeout(80);
  }
}

async function answerUntilTheEnd(page: Page): Promise<void> {
  const answer = page.getByLabel('Write your answer');
  const end = page.getByText('The conversation is over.');
  for (let turn = 0; turn < 12 && !(await end.isVisible()); turn += 1) {
    await answer.fill('I can’t open the file.');
    await tapEnter(answer);
    await answer.or(end).waitFor();
  }
}

const expectFocusOn = (control: Locator): Promise<void> =>
  expect.poll(() => control.evaluate((element) => element === document.activeElement)).toBe(true);

describe('a second press', () => {
  it('neither starts a second practice nor sends an answer twice', async () => {
    const page = await device.open();
    await openWrittenBriefing(page);
    await pressEnterTwice(page.getByRole('button', { name: 'Start', exact: true }));
    const answer = page.getByLabel('Write your answer');
    await answer.fill('Could you help me, please?');
    await pressEnterTwice(answer);
    await page.getByRole('list', { name: 'Conversation' }).getByRole('listitem').nth(2).waitFor();
    await page.waitForTimeout(500);
    expect(await page.getByRole('list', { name: 'Conversation' }).getByText('written').count()).toBe(1);
    await goTo(page, '/history');
    await page.getByText('1 session', { exact: true }).waitFor();
  });

  it('neither deletes a session without asking nor finishes one that was kept', async () => {
    const page = await device.open();
    await startInWriting(page);
    await page.getByRole('button', { name: 'End the conversation…' }).click();
    await tapEnter(page.getByRole('button', { name: 'Delete this session…' }));
    await expectFocusOn(page.getByRole('dialog', { name: 'Delete this session?' }));
    await tapEnter(page.getByRole('button', { name: 'Keep it' }));
    await expectFocusOn(page.getByRole('dialog', { name: 'End the conversation' }));
    await page.keyboard.press('Tab');
    await expectFocusOn(page.getByRole('button', { name: 'Finish and see the result' }));
  });

  it('neither finishes a conversation that is over nor resumes one that is paused', async () => {
    const page = await device.open();
    await startInWriting(page);
    await tapEnter(page.getByRole('button', { name: 'Pause' }));
    await expectFocusOn(page.getByText('Paused. No minutes are being used.'));
    await page.keyboard.press('Tab');
    await expectFocusOn(page.getByRole('button', { name: 'Resume' }));
    await page.keyboard.press('Enter');
    await answerUntilTheEnd(page);
    await page.waitForTimeout(1_000);
    await expectFocusOn(page.getByText('The conversation is over.'));
    await page.keyboard.press('Tab');
    await expectFocusOn(page.getByRole('button', { name: 'See your result' }));
  });

  it('starts no review when one is opened or left', async () => {
    const page = await device.open();
    await goTo(page, '/review');
    const field = page.getByLabel('Add a word');
    await field.fill('although');
    await field.press('Enter');
    await page.getByText('“although” is on your list.').waitFor();
    await goTo(page, '/');
    const title = page.getByRole('heading', { level: 1, name: 'Review' });
    await tapEnter(page.getByRole('navigation').getByRole('link', { name: 'Review', exact: true }));
    await expectFocusOn(title);
    await page.getByRole('button', { name: 'Review one word' }).click();
    await page.getByRole('heading', { level: 1, name: 'although' }).waitFor();
    await tapEnter(page.getByRole('button', { name: 'Leave' }));
    await expectFocusOn(title);
  });

  it('does not send what was just recorded', async () => {
    const page = await device.open();
    await startInWriting(page);
    await page.getByRole('button', { name: 'Speak instead' }).click();
    await page.getByRole('button', { name: 'Speak', exact: true }).click();
    await page.getByText('Recording').waitFor();
    await page.waitForTimeout(1_000);
    await tapEnter(page.getByRole('button', { name: 'Stop and check what we heard' }));
    const again = page.getByRole('button', { name: 'Say it again' });
    await again.waitFor();
    await page.keyboard.press('Enter');
    await page.waitForTimeout(500);
    await again.waitFor();
    expect(await page.getByText('Recording').count()).toBe(0);
  });

  it('neither opens a practice after joining a course nor joins a course again after leaving it', async () => {
    const page = await device.open();
    await goTo(page, '/courses');
    await page.getByRole('link', { name: /^First steps at work/ }).click();
    await tapEnter(page.getByRole('button', { name: 'Join this course' }));
    await expectFocusOn(page.getByText('You’ve joined this course.'));
    await page.keyboard.press('Tab');
    await expectFocusOn(page.getByRole('button', { name: /^(Start|Carry on) with/ }));
    await tapEnter(page.getByRole('button', { name: 'Leave this course' }));
    await expectFocusOn(page.getByText('You’ve left this course.'));
    await page.keyboard.press('Tab');
    await expectFocusOn(page.getByRole('button', { name: 'Join this course' }));
  });
});

describe('the focus', () => {
  it('stays in a conversation when its controls change', async () => {
    const page = await device.open();
    await startInWriting(page);
    await pressEnterOn(page.getByRole('button', { name: 'Speak instead' }));
    await expectFocusOn(page.getByRole('button', { name: 'Speak', exact: true }));
    await page.keyboard.press('Space');
    await page.getByText('Recording').waitFor();
    await expectFocusOn(page.getByRole('button', { name: 'Stop and check what we heard' }));
    await page.waitForTimeout(500);
    await page.keyboard.press('Space');
    await pressEnterOn(page.getByRole('button', { name: 'Write instead' }));
    await pressEnterOn(page.getByRole('button', { name: 'Pause' }));
    await pressEnterOn(page.getByRole('button', { name: 'Resume' }));
    await expectFocusOn(page.getByLabel('Write your answer'));
  });

  it('is on a hint, so that Space then speaks', async () => {
    const page = await device.open();
    await startInWriting(page);
    await pressEnterOn(page.getByRole('button', { name: 'Speak instead' }));
    await pressEnterOn(page.getByRole('button', { name: 'Give me a hint' }));
    await expectFocusOn(page.getByRole('status').filter({ hasText: 'You could talk about' }));
    await page.keyboard.press('Space');
    await page.getByText('Recording').waitFor();
    await expectFocusOn(page.getByRole('button', { name: 'Stop and check what we heard' }));
    await page.getByText('You could talk about').waitFor();
  });

  it('is on the heading of a call', async () => {
    const page = await device.open();
    await startInWriting(page);
    await page.goto(`${page.url()}/call`);
    await expectFocusOn(page.getByRole('heading', { level: 1 }));
  });

  it('stays where it was while the learner sets Parley up', async () => {
    const page = await device.open();
    await goTo(page, '/welcome?step=2');
    await pressEnterOn(page.getByRole('button', { name: 'Find out by reading aloud' }));
    await expectFocusOn(page.getByRole('button', { name: 'Speak', exact: true }));
    await goTo(page, '/welcome?step=3');
    await pressEnterOn(page.getByRole('button', { name: 'Choose Daniel' }));
    await expectFocusOn(page.locator('span[tabindex]', { hasText: 'Selected' }));
  });

  it('stays in the list of words', async () => {
    const page = await device.open();
    await goTo(page, '/review');
    const field = page.getByLabel('Add a word');
    for (const word of ['thorough', 'weather']) {
      await field.fill(word);
      await field.press('Enter');
      await page.getByText(`“${word}” is on your list.`).waitFor();
    }
    await pressEnterOn(page.getByRole('button', { name: 'Remove “thorough”' }));
    await expectFocusOn(page.getByText('“thorough” is off your list.'));
    await pressEnterOn(page.getByRole('button', { name: 'Undo' }));
    await page.getByRole('button', { name: 'Remove “thorough”' }).waitFor();
    await expectFocusOn(page.getByRole('heading', { name: 'Your words' }));
  });

  it('stays on a word that is added to the list', async () => {
    const page = await device.open();
    await startInWriting(page);
    const answer = page.getByLabel('Write your answer');
    await answer.fill("I isn't sure.");
    await answer.press('Enter');
    await page.getByText('I isn’t sure.').waitFor();
    await page.getByRole('button', { name: 'End the conversation…' }).click();
    await page.getByRole('button', { name: 'Finish and see the result' }).click();
    await page.getByRole('tab', { name: 'What was said' }).click();
    const line = page.getByRole('toolbar', { name: 'I isn’t sure.' });
    await line.getByRole('button', { name: 'I', exact: true }).focus();
    await page.keyboard.press('End');
    await expectFocusOn(line.getByRole('button', { name: 'sure.' }));
    await page.keyboard.press('ArrowLeft');
    await expectFocusOn(line.getByRole('button', { name: 'isn’t' }));
    expect(await line.locator('[tabindex="0"]').count()).toBe(1);
    await page.keyboard.press('Enter');
    await pressEnterOn(page.getByRole('button', { name: 'Add to review' }));
    await expectFocusOn(page.getByText(/ is on your list\.$/));
    await pressEnterOn(page.getByRole('button', { name: 'Undo' }));
    await expectFocusOn(page.getByText(/ is off your list\.$/));
    // Each line of the coach has such a button, whose name says which line it belongs to.
    const shadow = await page
      .getByRole('button', { name: 'Shadow' })
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));
    expect(shadow.length).toBeGreaterThan(1);
    expect(shadow.every((name) => /^Shadow: “.+”$/.test(name ?? ''))).toBe(true);
  });

  it('is on the word of each card of a review', async () => {
    const page = await device.open();
    await goTo(page, '/review');
    await pressEnterOn(page.getByRole('button', { name: /^Review \d words$/ }));
    const word = page.getByRole('heading', { level: 1 });
    await expectFocusOn(word);
    const first = await word.innerText();
    await pressEnterOn(page.getByRole('button', { name: 'Later' }));
    await expect.poll(() => word.innerText()).not.toBe(first);
    await expectFocusOn(word);
  });

  it('stays in the learner’s own text when a line ends', async () => {
    const page = await device.open();
    await goTo(page, '/shadow');
    const field = page.getByRole('textbox', { name: 'What do you want to say?' });
    await field.fill('Good morning.');
    const height = async () => (await field.boundingBox())?.height ?? 0;
    const before = await height();
    for (const line of ['How are you?', 'I am late.', 'Sorry.']) {
      await field.press('Shift+Enter');
      await page.keyboard.type(line);
    }
    expect(await height()).toBeGreaterThan(before);
    await field.press('Enter');
    await page.getByText('Good morning. How are you? I am late. Sorry.').waitFor();
  });
});
