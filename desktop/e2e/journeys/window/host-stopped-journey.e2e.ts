/** When the host stops, the window closes the microphone and says what to do. */
import { toWav } from '@parley/test-kit';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { setUpLaptop } from '../../app/set-up-laptop.ts';
import { answerWith, startModelCoachServer } from '../../servers/model-coach-server.ts';
import { startCall } from '../../steps/realtime-session.ts';
import { simulateHostCrash } from '../../steps/simulate-host-crash.ts';
import { beginByVoice } from '../../steps/typed-session.ts';

const fixture = setUpLaptop(startModelCoachServer, { isFresh: true });

const readMicrophones = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    (window as unknown as { microphoneTracks: MediaStreamTrack[] }).microphoneTracks.map(
      ({ readyState }) => readyState,
    ),
  );

async function openWindow(): Promise<Page> {
  const page = await fixture.laptop.open({ microphone: toWav(Buffer.alloc(60 * 32_000), 16_000) });
  await page.addInitScript(simulateHostCrash);
  await page.reload();
  return page;
}

async function expectReleasedAfterCrash(page: Page): Promise<void> {
  expect(await readMicrophones(page)).toContain('live');
  await page.evaluate(() => window.dispatchEvent(new Event('crash')));
  await page.getByText('Parley has stopped').waitFor();
  await expect.poll(() => readMicrophones(page)).not.toContain('live');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Try to connect again');
  await expectAccessible(page);
}

it('releases the microphone of a call', async () => {
  const page = await openWindow();
  await startCall(page);
  await page.getByRole('toolbar').waitFor();
  await page.getByText('Listening', { exact: true }).waitFor();
  await expectReleasedAfterCrash(page);
});

it('releases the microphone of a recording', async () => {
  const page = await openWindow();
  fixture.server.cannedResponses.reply.push(answerWith('Good morning, this is Grace.'));
  await beginByVoice(page);
  await page.getByText('Good morning, this is Grace.').first().waitFor();
  const stop = page.getByRole('button', { name: 'Stop and check what we heard' });
  await page.keyboard.press('Space');
  await stop.waitFor();
  await page.waitForTimeout(1_000);
  await expectReleasedAfterCrash(page);
});
