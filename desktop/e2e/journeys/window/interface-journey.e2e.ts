/** The screens in every colour mode, in a right-to-left language and in the pseudo language, in a real Chromium. */
import type { Locator, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { setUpDevice } from '../../app/set-up-device.ts';
import type { OpenOptions } from '../../app/device.ts';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { readLineStarts } from '../../app/read-line-starts.ts';

const SCREENS = [
  '/',
  '/practise',
  '/courses',
  '/drills',
  '/shadow',
  '/shadow?text=%22May%20I%20call%20you%20back%20on%20Tuesday%3F%22',
  '/progress',
  '/history',
  '/coach',
  '/plan',
  '/settings',
  '/welcome?step=1',
  '/welcome?step=5',
  '/sign-in',
];

const device = setUpDevice(null);

async function visitScreens(
  options: OpenOptions,
  check: (page: Page, screen: string) => Promise<void>,
  screens: readonly string[] = SCREENS,
): Promise<void> {
  const page = await device.open(options);
  const [address = ''] = page.url().split('#');
  for (const screen of screens) {
    await page.goto(`${address}#${screen}`);
    await page.locator('h1').first().waitFor();
    await check(page, screen);
  }
}

const LONG_SCREENS = [...SCREENS, '/review', '/help', '/blog'];

const expectToFit =
  (widths: readonly number[]) =>
  async (page: Page, screen: string): Promise<void> => {
    await page.waitForFunction(() => document.querySelector('[class*=waiting][aria-hidden] > i') === null);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 600 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect.soft(overflow, `${screen} at ${width} px`).toBeLessThanOrEqual(0);
    }
  };

const languageOf = (text: Locator): Promise<string | undefined> =>
  text.evaluate((element) => element.closest<HTMLElement>('[lang]')?.lang);

/** The roles of the elements to which a field's `aria-controls` and `aria-activedescendant` refer. */
const namedElements = (field: Locator): Promise<(string | null)[]> =>
  field.evaluate((element) =>
    ['aria-controls', 'aria-activedescendant'].map((attribute) => {
      const named = document.getElementById(element.getAttribute(attribute) ?? '');
      const role = named?.getAttribute('role') ?? null;
      return role === 'option' ? `option: ${named?.textContent}` : role;
    }),
  );

describe('the interface', () => {
  it.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['forced colours', { forcedColors: 'active' }],
    ['Arabic, right to left', { locale: 'ar' }],
  ] as const)('has no violation of WCAG 2.2 AA: %s', { tags: ['slow'] }, async (_mode, options) => {
    await visitScreens(options, (page) => expectAccessible(page));
  });

  it('underlines only the selected choice in forced colours', async () => {
    const page = await device.open({ forcedColors: 'active' });
    await page.goto(`${page.url().split('#')[0]}#/settings`);
    const underlineOf = (name: string): Promise<string> =>
      page
        .getByRole('radiogroup', { name: 'Text size' })
        .locator('label', { hasText: new RegExp(`^${name}$`) })
        .evaluate((label) => getComputedStyle(label).borderBottomColor);
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(await underlineOf('Large')).toBe(background);
    expect(await underlineOf('Normal')).not.toBe(background);
  });

  it('is mirrored in Arabic, and keeps the practised English from left to right', async () => {
    const page = await device.open({ locale: 'ar' });
    await page.getByRole('heading', { name: 'اليوم' }).waitFor();
    expect(await page.evaluate(() => [document.documentElement.dir, document.documentElement.lang])).toEqual([
      'rtl',
      'ar',
    ]);
    const line = page.locator('[lang="en"]').first();
    expect(await line.evaluate((element) => getComputedStyle(element).direction)).toBe('ltr');
  });

  it('explains a practice in German, while its coach speaks English', { tags: ['slow'] }, async () => {
    const page = await device.open({ locale: 'de' });
    await page.goto(`${page.url().split('#')[0]}#/practise`);
    await page.getByLabel('Suchen').fill('höflich um Hilfe');
    await page.getByRole('link', { name: 'Ask a colleague for help' }).click();
    const scene = page.getByText('Du kannst eine wichtige Datei nicht öffnen');
    await scene.waitFor();
    expect(await languageOf(scene)).toBe('de');
    await page.getByText('Höflich um Hilfe bitten', { exact: true }).waitFor();
    expect(await languageOf(page.getByRole('heading', { name: 'Ask a colleague for help' }))).toBe('en');
    expect(await languageOf(page.getByText('password', { exact: true }))).toBe('en');
    await expectAccessible(page);
    await page.getByText('Schriftlich', { exact: true }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    const question = page.getByText(/Is everything (all right|okay)\?/).first();
    await question.waitFor();
    expect(await languageOf(question)).toBe('en');
    expect(await languageOf(page.getByText('Du kannst eine wichtige Datei nicht öffnen'))).toBe('de');
  });

  it('begins no Japanese line with a small or long sound', async () => {
    const screens = ['/', '/settings', '/welcome?step=4'];
    const check = async (page: Page, screen: string): Promise<void> => {
      for (const width of [1280, 640, 390]) {
        await page.setViewportSize({ width, height: 800 });
        const starts = await readLineStarts(page.locator(':is(h1, h2, h3, p):lang(ja)'));
        const wrong = starts.filter((start) => /[ーぁぃぅぇぉっゃゅょァィゥェォッャュョ]/.test(start));
        expect.soft(wrong, `${screen} at ${width} px`).toEqual([]);
      }
    };
    await visitScreens({ locale: 'ja' }, check, screens);
  });

  it('fits its window with 80 % longer texts, at 900 pixels and at double zoom', { tags: ['slow'] }, async () => {
    await visitScreens({ locale: 'en-XA' }, expectToFit([900, 640]), LONG_SCREENS);
  });

  it('fits a window of 390 pixels, and of 320 as at four times zoom', { tags: ['slow'] }, async () => {
    await visitScreens({}, expectToFit([390, 320]), LONG_SCREENS);
  });

  it(
    'breaks a long word that the learner pasted, in the conversation and in its result',
    { tags: ['slow'] },
    async () => {
      const page = await device.open();
      await page.goto(`${page.url().split('#')[0]}#/practise`);
      await page.getByRole('link', { name: /Ask a colleague for help/ }).click();
      await page.getByText('In writing', { exact: true }).click();
      await page.getByRole('button', { name: 'Start' }).click();
      const answer = page.getByLabel('Write your answer');
      await answer.fill(`Can you open https://example.com/${'page'.repeat(60)} please?`);
      await answer.press('Enter');
      const said = page.getByText(/pagepage/);
      const expectInside = async (place: string): Promise<void> => {
        await said.first().waitFor();
        for (const line of await said.all())
          expect
            .soft(await line.evaluate((element) => element.getBoundingClientRect().right - window.innerWidth), place)
            .toBeLessThanOrEqual(0);
      };
      await expectInside('conversation');
      await page
        .getByRole('button', { name: /End the conversation|Finish/ })
        .first()
        .click();
      await page
        .getByRole('button', { name: /Finish/ })
        .first()
        .click();
      await page.getByText('What was said', { exact: true }).click();
      await expectInside('result');
    },
  );

  it('breaks a long name in the greeting of a narrow window', async () => {
    const page = await device.open();
    const [address = ''] = page.url().split('#');
    await page.goto(`${address}#/welcome?step=1`);
    await page.getByLabel('What should your coach call you?').fill('Wolfeschlegelsteinhausenbergerdorff');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Step 2 of 5').waitFor();
    await page.goto(`${address}#/`);
    await page.getByText('Wolfeschlegelsteinhausenbergerdorff').waitFor();
    await expectToFit([320])(page, '/');
  });

  it('keeps a name that was typed when the language changes', { tags: ['slow'] }, async () => {
    const page = await device.open();
    await page.goto(`${page.url().split('#')[0]}#/welcome?step=1`);
    await page.getByLabel('What should your coach call you?').fill('Ana');
    await page.getByRole('button', { name: /Language of Parley/ }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    const field = page.getByLabel('Wie soll dein Coach dich nennen?');
    await expect.poll(() => field.inputValue()).toBe('Ana');
    await page.getByRole('button', { name: /Sprache von Parley/ }).click();
    await page.getByRole('option', { name: 'English', exact: true }).click();
    await page.getByLabel('What should your coach call you?').waitFor();
  });

  it('opens a screen from the command palette by keyboard, and lists shortcuts', { tags: ['slow'] }, async () => {
    const page = await device.open();
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Screen or practice', expanded: true });
    await field.waitFor();
    await page.keyboard.type('hist');
    await page.getByRole('listbox', { name: 'Screen or practice' }).getByRole('option', { name: 'History' }).waitFor();
    await page.keyboard.press('ArrowDown');
    // The focus stays in the field, which refers to the list and the selected option.
    await expect.poll(() => namedElements(field)).toEqual(['listbox', 'option: History']);
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'History' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  });
});
