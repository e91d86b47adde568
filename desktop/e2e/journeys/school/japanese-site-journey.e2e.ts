/** How the public site breaks Japanese lines, in a real Chromium. */
import { expect, it } from 'vitest';
import { readLineStarts } from '../../app/read-line-starts.ts';
import { setUpSchool } from '../../panel/set-up-school.ts';

const school = setUpSchool();

it('begins no Japanese line with a small or long sound', async () => {
  const context = await school.browser.newContext({ locale: 'ja' });
  const page = await context.newPage();
  for (const path of ['/', '/pricing', '/privacy'])
    for (const width of [1280, 900, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${school.server.address}${path}`);
      const starts = await readLineStarts(page.locator(':is(h1, h2, h3, p):lang(ja)'));
      expect(starts.length).toBeGreaterThan(5);
      expect
        .soft(
          starts.filter((start) => /[ーぁぃぅぇぉっゃゅょァィゥェォッャュョ]/.test(start)),
          `${path} at ${width} px`,
        )
        .toEqual([]);
    }
  await context.close();
});
