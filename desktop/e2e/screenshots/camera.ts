/** Takes pictures of a window, in both themes and in every language of a run. */
import { createRequire } from 'node:module';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Catalogue, createLocalizer, SOURCE_LANGUAGE, type Translate } from '@parley/i18n';
import type { Page } from 'playwright';

export const THEMES = ['light', 'dark'] as const;

export interface Camera {
  languages: readonly string[];
  size: { width: number; height: number };
  /** Takes what the window shows, in the window's language. */
  take: (page: Page, name: string) => Promise<void>;
  /** Takes what the window shows, and the screen at its address in the other languages. What was only typed or opened is not in those. */
  takeScreen: (page: Page, name: string) => Promise<void>;
}

interface CameraOptions {
  folder: string;
  languages: readonly string[];
  size: { width: number; height: number };
  /** Whether a picture holds the whole screen, or what the window shows of it. */
  isFullPage: boolean;
}

/** The words of a language, for steps that are taken in it. */
export function translateInto(language: string): Translate {
  const catalogue: Catalogue =
    language === SOURCE_LANGUAGE ? {} : createRequire(import.meta.url)(`@parley/i18n/locales/${language}.json`);
  return createLocalizer(language, catalogue).t;
}

/** A folder of pictures, as in `en-light`. */
export const variantsOf = (languages: readonly string[]): string[] =>
  languages.flatMap((language) => THEMES.map((theme) => `${language}-${theme}`));

export async function createCamera({ folder, languages, size, isFullPage }: CameraOptions): Promise<Camera> {
  for (const variant of variantsOf(languages)) await mkdir(join(folder, variant), { recursive: true });

  async function take(page: Page, name: string): Promise<void> {
    await settle(page);
    // A window as high as its screen shows it with the navigation beside it, wherever it was scrolled to.
    const height = isFullPage ? await page.evaluate(() => document.documentElement.scrollHeight) : size.height;
    await page.setViewportSize({ ...size, height });
    const language = await page.evaluate(() => document.documentElement.lang);
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      const path = join(folder, `${language}-${theme}`, `${name}.png`);
      await page.screenshot({ path, animations: 'disabled' });
    }
    await page.emulateMedia({ colorScheme: THEMES[0] });
    await page.setViewportSize(size);
  }

  return {
    languages,
    size,
    take,
    takeScreen: async (page, name) => {
      await take(page, name);
      const shown = await page.evaluate(() => document.documentElement.lang);
      for (const language of languages.filter((each) => each !== shown)) {
        const other = await openBeside(page, language, size);
        await take(other, name);
        await other.context().close();
      }
    },
  };
}

/** Opens the same address in a second window, with the system in this language. */
async function openBeside(page: Page, language: string, size: CameraOptions['size']): Promise<Page> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('The window belongs to no browser.');
  const context = await browser.newContext({
    storageState: await page.context().storageState(),
    viewport: size,
    locale: language,
    colorScheme: THEMES[0],
  });
  const other = await context.newPage();
  await other.goto(page.url());
  return other;
}

/** Waits for the title, for what is loaded behind it, and for the pictures. Nothing is under the mouse. */
async function settle(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await page.locator('h1').first().waitFor();
  await page.waitForFunction(
    () =>
      document.querySelector('[class*=waiting][aria-hidden] > i') === null &&
      [...document.images].every((image) => image.complete),
  );
  await page.waitForTimeout(250);
}
