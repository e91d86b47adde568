/**
 * A speech pack: shown, downloaded, and used to transcribe an unforeseeable answer. First one word and then the whole
 * text is corrected, and the answer is scored.
 */
import { makeTinyPack, padWav, samplesOf, synthesise } from '@parley/test-kit';
import { once } from 'node:events';
import { createReadStream, existsSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevice, DEAD_SERVER, type Device } from '../../app/device.ts';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { speakTurn } from '../../steps/turns.ts';

const SAID = 'I wrote the budget for our new office and sent it to my boss.';
const spoken = synthesise(SAID);
if (spoken === null) console.warn('skipped: synthesised speech requires espeak-ng (Debian: espeak-ng)');

let laptop: Device;
let server: Server;
let folder: string;

beforeAll(async () => {
  folder = await makeTinyPack('Tiny model');
  server = createServer((request, response) => {
    const file = join(folder, request.url ?? '/');
    if (existsSync(file)) createReadStream(file).pipe(response);
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  laptop = await createDevice();
  await laptop.start(DEAD_SERVER);
});
afterAll(async () => {
  await laptop.remove();
  server.close();
  rmSync(folder, { recursive: true });
});

describe.skipIf(spoken === null)('a speech pack', { tags: ['slow'] }, () => {
  it('is downloaded once its size, licence and hash were shown', async () => {
    const page = await laptop.open();
    await page.goto(`${page.url().split('#')[0]}#/settings`);
    await page
      .getByLabel('Address of a speech pack')
      .fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await page.getByRole('button', { name: 'Check this address' }).click();
    await page.getByText(/^Tiny model: [\d.]+ kB, licence MIT\.$/).waitFor();
    await page.getByText(/^[0-9a-f]{64}$/).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Download [\d.]+ kB$/ }).click();
    await page.getByText(/^Tiny model is ready: [\d.]+ kB, licence MIT\.$/).waitFor();
    await page.getByText('Its speed is measured when you first use it.').waitFor();
    await expectAccessible(page);
  });

  it(
    'transcribes a free answer, whose words are corrected one by one and as a whole',
    { timeout: 120_000 },
    async () => {
      if (spoken === null) return;
      let page = await laptop.open();
      await page.getByRole('link', { name: 'Practise', exact: true }).click();
      await page.getByRole('link', { name: /Give a stand-up update/ }).click();
      await page.getByRole('button', { name: 'Start' }).click();
      await page.getByRole('button', { name: 'Continue without a check' }).click();
      await page.getByText('What did you do yesterday?').first().waitFor();
      page = await laptop.open({ microphone: padWav(spoken, { beforeMs: 700, afterMs: 2_500 }) });
      await page.getByRole('button', { name: 'Continue' }).click();
      await speakTurn(page, samplesOf(spoken).length / 16 + 1_000);

      await page.getByText('We heard').waitFor();
      await page.getByText('Parley isn’t sure of the marked words. Choose one to change it.').waitFor();
      await expectAccessible(page);
      const uncertain = page.locator('p[lang=en] button[aria-describedby]');
      const before = await uncertain.count();
      await uncertain.first().click();
      await page.getByRole('button', { name: /is right$/ }).waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'maybe', exact: true }).click();
      await expect.poll(() => uncertain.count()).toBe(before - 1);

      await page.getByRole('button', { name: 'Correct the words' }).click();
      await page.getByLabel('Write what you said').fill(SAID);
      await page.getByRole('button', { name: 'Score this' }).click();
      await page.getByRole('img', { name: /^Pronunciation: \d+ of 100$/ }).waitFor();
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('What will you do today?').first().waitFor();
    },
  );
});
