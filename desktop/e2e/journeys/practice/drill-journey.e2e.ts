/** Drills in a real browser: the words are highlighted during speech, and the score follows soon after. */
import { padWav, samplesOf, synthesise } from '@parley/test-kit';
import type { Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { setUpDevice } from '../../app/set-up-device.ts';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { DEAD_SERVER } from '../../app/device.ts';

const TEXT = 'The delivery will arrive three days later than we planned.';
const spoken = synthesise(TEXT);
if (spoken === null) console.warn('skipped: synthesised speech requires espeak-ng (Debian: espeak-ng)');

const WRONG = synthesise('sink', { voice: 'en-us+f1' });

const device = setUpDevice(DEAD_SERVER);

const said = (page: Page): Promise<string> =>
  page.locator('p:has(> span)', { hasText: TEXT }).locator('span').innerText();

describe('a drill', { tags: ['slow'] }, () => {
  it('is found by its length', { tags: ['slow'] }, async () => {
    const page = await device.open();
    await page.getByRole('link', { name: 'Drills' }).click();
    for (const kind of ['Words', 'Pairs', 'Phrases', 'Passages', 'Your own text', 'Sentences']) {
      await page.getByRole('tab', { name: kind }).click();
      await expectAccessible(page);
    }
    await page.getByRole('link', { name: TEXT }).click();
    await page.getByRole('heading', { name: 'Explaining a delay' }).waitFor();
    await expectAccessible(page);
  });

  it('refuses an own text that cannot be scored, and wraps a long one', async () => {
    const page = await device.open();
    const long = `${'averylongname'.repeat(12)} said hello.`;
    const width = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    for (const screen of ['drills', 'shadow']) {
      await page.goto(`${page.url().split('#')[0]}#/${screen}`);
      if (screen === 'drills') await page.getByRole('tab', { name: 'Your own text' }).click();
      const field = page.getByRole('textbox', { name: 'What do you want to say?' });
      await field.fill('你好吗');
      await page.keyboard.press('Enter');
      await page.getByText('There’s nothing here that Parley can score.').waitFor();
      await expectAccessible(page);
      await field.fill(long);
      await page.getByText('There’s nothing here that Parley can score.').waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Speak', exact: true }).waitFor();
      expect(await width()).toBeLessThanOrEqual(0);
    }
  });

  it.skipIf(spoken === null)('highlights the words during speech, is scored and kept', async () => {
    if (spoken === null) return;
    const page = await device.open({ microphone: padWav(spoken, { beforeMs: 500, afterMs: 6_000 }) });
    await page.goto(`${page.url().split('#')[0]}#/drills/say?text=${encodeURIComponent(JSON.stringify(TEXT))}`);
    await page.getByRole('button', { name: 'Speak', exact: true }).click();
    await page.getByText('Recording').waitFor();
    const seen = new Set<string>();
    await expect
      .poll(
        async () => {
          const now = await said(page);
          seen.add(now);
          return now;
        },
        { timeout: samplesOf(spoken).length / 16 + 20_000, interval: 100 },
      )
      .toBe(TEXT);
    // The words are highlighted one by one, not all at once.
    expect(seen.size).toBeGreaterThan(3);
    await page.getByRole('button', { name: 'Stop and see your score' }).click();
    await page.getByRole('img', { name: /^Pronunciation: \d+ of 100$/ }).waitFor();
    expect(await page.getByRole('toolbar', { name: 'Words with their scores' }).getByRole('button').count()).toBe(10);
    await expectAccessible(page);
    // The space bar activates the focused control, and records only when nothing has the focus.
    const how = page.locator('summary', { hasText: 'How this is measured' }).first();
    await how.press('Space');
    expect(await how.locator('..').getAttribute('open')).not.toBeNull();
    expect(await page.getByText('Recording').count()).toBe(0);
  });

  it.skipIf(WRONG === null)('of “think”, said as “sink”, scores low and says why', { tags: ['slow'] }, async () => {
    if (WRONG === null) return;
    const page = await device.open({ microphone: padWav(WRONG, { beforeMs: 800, afterMs: 4_000 }) });
    await page.goto(`${page.url().split('#')[0]}#/drills/say?text=${encodeURIComponent(JSON.stringify('think'))}`);
    await page.getByRole('button', { name: 'Speak', exact: true }).click();
    await page.getByText('Recording').waitFor();
    await page.waitForTimeout(samplesOf(WRONG).length / 16 + 1_500);
    await page.getByRole('button', { name: 'Stop and see your score' }).click();
    const score = await page.getByRole('img', { name: /^Pronunciation: \d+ of 100$/ }).getAttribute('aria-label');
    expect(Number(score?.match(/\d+/)?.[0])).toBeLessThan(60);
    await page.getByRole('toolbar', { name: 'Words with their scores' }).getByRole('button', { name: /think/ }).click();
    const sounds = page.getByRole('list', { name: 'Sounds with their scores' });
    await sounds.getByRole('listitem').filter({ hasText: 'θ' }).getByText('sounded like s').waitFor();
  });
});
