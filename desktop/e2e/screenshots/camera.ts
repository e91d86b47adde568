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
  /** Captures the window, in the window's language. */
  take: (page: Page, name: string) => Promise<void>;
  /**
   * Captures the window, and the screen at its address in the other languages. Those do not show anything that was
   * merely typed or opened.
   */
  takeScreen: (page: Page, name: string) => Promise<void>;
}

interface CameraOptions {
  folder: string;
  languages: readonly string[];
  size: { width: number; height: number };
  /** Whether a picture shows the whole screen, or only the visible part. */
  isFullPage: boolean;
}

/** The messages of a language, for steps that are taken in it. */
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
    // The height of a window that fits the whole screen and the navigation beside it, wherever it was scrolled to.
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

/** Waits for the title, for data that loads after it, and for the pictures. The mouse is moved away. */
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
