/** Practising in a small window, as at double zoom: what the learner needs stays in view, in a real Chromium. */
import { padWav, synthesise } from '@parley/test-kit';
import type { Locator, Page } from 'playwright';
import { expect, it } from 'vitest';
import { setUpDevice } from '../../app/set-up-device.ts';
import { startInWriting } from '../../steps/start-in-writing.ts';

const DOUBLE_ZOOM = { width: 640, height: 400 };
const NARROW = { width: 320, height: 640 };
/** A small laptop: the sidebar still has its words, and little room is left beside it. */
const LAPTOP = { width: 1024, height: 700 };

const device = setUpDevice(null);

async function openAt(hash: string, size: typeof NARROW): Promise<Page> {
  const page = await device.open();
  await page.setViewportSize(size);
  await page.goto(`${page.url().split('#')[0]}#${hash}`);
  return page;
}

/** Whether its beginning and its last line are uncovered. */
const isInView = (text: Locator): Promise<boolean> =>
  text.evaluate((element) => {
    const { left, top, bottom } = element.getBoundingClientRect();
    return [top + 8, bottom - 8].every((y) => {
      const found = document.elementFromPoint(left + 5, y);
      return found !== null && element.contains(found);
    });
  });

const widthOf = async (element: Locator): Promise<number> => (await element.boundingBox())?.width ?? 0;

it('shows the coach’s question above all hints at double zoom', async () => {
  const page = await device.open();
  await startInWriting(page);
  await page.setViewportSize(DOUBLE_ZOOM);
  const question = page.getByRole('list', { name: 'Conversation' }).locator('[lang=en]').last();
  for (const name of ['Give me a hint', 'Show me how to start', 'Show me whole sentences'])
    await page.getByRole('button', { name }).click();
  await page.getByText('You could say').waitFor();
  await expect.poll(() => isInView(question)).toBe(true);
});

it('does not cover the word in a review at double zoom', async () => {
  const page = await openAt('/review', DOUBLE_ZOOM);
  const field = page.getByLabel('Add a word');
  await field.fill('thorough');
  await field.press('Enter');
  await page.getByRole('button', { name: 'Review one word' }).click();
  expect(await isInView(page.getByRole('heading', { name: 'thorough' }))).toBe(true);
});

it('gives lines, words and practices room in a narrow window', async () => {
  const page = await device.open();
  await startInWriting(page);
  await page.setViewportSize(NARROW);
  const question = page.getByRole('list', { name: 'Conversation' }).locator('[lang=en]').last();
  expect.soft(await widthOf(question), 'line').toBeGreaterThan(150);
  await page.goto(`${page.url().split('#')[0]}#/review`);
  expect.soft(await widthOf(page.getByRole('button', { name: 'thorough, hear it' })), 'word').toBeGreaterThan(60);
  await page.goto(`${page.url().split('#')[0]}#/welcome?step=5`);
  const summary = page.getByRole('main').getByRole('link').getByRole('paragraph').first();
  expect.soft(await widthOf(summary), 'practice').toBeGreaterThan(120);
  await page.goto(`${page.url().split('#')[0]}#/courses`);
  await page.getByRole('link', { name: /^First steps at work/ }).click();
  expect.soft(await widthOf(page.getByRole('heading', { level: 3 }).first()), 'course').toBeGreaterThan(110);
});

it('keeps the buttons of a word in one row in a narrow window, however long their labels', async () => {
  const page = await device.open({ locale: 'de' });
  await page.setViewportSize(NARROW);
  await page.goto(`${page.url().split('#')[0]}#/review`);
  const middleOf = async (name: string): Promise<number> => {
    const box = await page.getByRole('button', { name }).boundingBox();
    return box === null ? Number.NaN : box.y + box.height / 2;
  };
  await page.getByRole('button', { name: 'Als gelernt markieren' }).waitFor();
  expect(await middleOf('„thorough“ entfernen')).toBeCloseTo(await middleOf('Als gelernt markieren'), 0);
});

const SENTENCE = 'We walked around the value.';
const voice = synthesise(SENTENCE);
if (voice === null) console.warn('skipped: espeak-ng is not installed, so no voice can say the sentence');

it.skipIf(voice === null)('leaves room beside the button of a recording in a narrow window', async () => {
  const page = await device.open({ microphone: padWav(voice ?? Buffer.alloc(0), { beforeMs: 500, afterMs: 3_000 }) });
  await page.setViewportSize(NARROW);
  await page.goto(`${page.url().split('#')[0]}#/drills/say?text=${encodeURIComponent(JSON.stringify(SENTENCE))}`);
  const button = page.getByRole('button', { name: 'Speak', exact: true });
  await button.click();
  await page.getByText('Recording').waitFor();
  expect(await widthOf(page.locator('svg[preserveAspectRatio=none]'))).toBeGreaterThan(80);
  await page.keyboard.press('Escape');
  await button.waitFor();
});

it.skipIf(voice === null)('writes the names of the scores out when a window becomes narrow', async () => {
  const page = await device.open({ microphone: padWav(voice ?? Buffer.alloc(0), { beforeMs: 500, afterMs: 3_000 }) });
  await page.goto(`${page.url().split('#')[0]}#/drills/say?text=${encodeURIComponent(JSON.stringify(SENTENCE))}`);
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await page.getByText('Recording').waitFor();
  await page.waitForTimeout(3_000);
  await page.keyboard.press('Escape');
  const name = page.getByText('Completeness', { exact: true });
  await name.first().waitFor();
  await page.setViewportSize(NARROW);
  const cutNames = (): Promise<number> =>
    name.evaluateAll(
      (all) =>
        all.filter(
          (each) => each.checkVisibility({ visibilityProperty: true }) && each.scrollWidth > each.clientWidth + 1,
        ).length,
    );
  await expect.poll(cutNames).toBe(0);
});

it('gives practices and filters room beside the sidebar of a small laptop', async () => {
  const page = await openAt('/', LAPTOP);
  const summary = page.getByRole('main').getByRole('link').getByRole('paragraph').first();
  expect.soft(await widthOf(summary), 'Today').toBeGreaterThan(250);
  await page.goto(`${page.url().split('#')[0]}#/practise`);
  for (const name of ['Category', 'Level', 'Coach', 'Length', 'Style']) {
    const box = await page.getByRole('button', { name: new RegExp(`${name}$`) }).boundingBox();
    expect.soft(box?.height, name).toBeLessThan(45);
  }
  await page.goto(`${page.url().split('#')[0]}#/courses`);
  await page.getByRole('link', { name: /^First steps at work/ }).click();
  expect.soft(await widthOf(page.getByRole('heading', { level: 3 }).first()), 'course').toBeGreaterThan(250);
  await page.goto(`${page.url().split('#')[0]}#/review`);
  await page.getByLabel('Add a word').fill('although');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'although, hear it' }).waitFor();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect.soft(overflow, 'review').toBe(0);
});

it('gives a briefing and a conversation room beside the sidebar of a small laptop', async () => {
  const page = await openAt('/practise', LAPTOP);
  await page.getByRole('link', { name: /^Give a stand-up update/ }).click();
  const scenario = page.getByText('It is nine o’clock and the team is standing');
  expect.soft(await widthOf(scenario), 'briefing').toBeGreaterThan(350);
  await page.getByText('In writing', { exact: true }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const line = page.getByText('What did you do yesterday?');
  await line.waitFor();
  expect.soft(await widthOf(line), 'conversation').toBeGreaterThan(350);
});

it('writes where things run below their names in a narrow window', async () => {
  const page = await openAt('/settings', NARROW);
  expect(await widthOf(page.getByRole('definition').first())).toBeGreaterThan(180);
});

it('keeps the size of an icon whose label breaks into lines', async () => {
  const page = await openAt('/', NARROW);
  await page.addStyleTag({ content: 'button { letter-spacing: 0.3em }' });
  expect(await widthOf(page.getByRole('button', { name: /^Answer / }).locator('svg'))).toBe(20);
});
