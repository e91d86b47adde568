/** A coach in the admin panel, in a real browser: written, heard and talked to before it is published. */
import type { AppOptions } from '@parley/sync-server';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { launchPanelBrowser, openPanel, type PanelServer, startPanelServer } from '../../panel/open-panel.ts';
import { field, openNew, picture, press } from '../../steps/panel.ts';

const OPENING = 'Good morning! What do you do here?';
const ANSWER = 'Bicycles, how nice!';
/** Half a second of silence. */
const SOUND = new Uint8Array(24_000);

const answers: string[] = [];
const utterances: object[] = [];
const AI: NonNullable<AppOptions['ai']> = {
  services: {
    coach: {
      where: 'own',
      model: {
        name: 'model-of-our-own',
        async *stream() {
          yield { type: 'text', text: answers.shift() ?? '' };
          yield { type: 'done' };
        },
        structured: () => Promise.reject(new Error('a first talk has no objectives to judge')),
      },
    },
    voice: {
      where: 'own',
      synthesiser: {
        name: 'voice-of-our-own',
        async *speak({ text, voice, spoken }) {
          utterances.push({ text, ...voice });
          await spoken();
          yield SOUND;
        },
      },
    },
    transcriber: null,
    assessor: null,
  },
  dailyLimitUsd: null,
  isMetered: false,
};

let server: PanelServer;
let plainServer: PanelServer;
let browser: Browser;
beforeAll(async () => {
  server = await startPanelServer({ ai: AI });
  plainServer = await startPanelServer();
  browser = await launchPanelBrowser();
});
afterAll(async () => {
  await browser.close();
  await plainServer.stop();
  await server.stop();
});

async function writeCoach(page: Page, { address }: PanelServer): Promise<void> {
  await page.goto(`${address}/admin/coaches`);
  await openNew(page, 'New coach');
  await field(page, 'Name').fill('Nia');
  await field(page, 'How the coach talks').fill('Asks short questions and waits.');
}

describe('a coach in the admin panel', { tags: ['slow'] }, () => {
  it('is heard and talked to before it is published', async () => {
    answers.splice(0, answers.length, OPENING, ANSWER);
    utterances.length = 0;
    const { page, problems } = await openPanel(browser, server);
    await writeCoach(page, server);
    await field(page, 'Accent').selectOption({ label: 'Irish' });
    await field(page, 'Speed').fill('0.8');
    await press(page, 'Play a sample');
    await page.getByText('That was your server’s voice, as learners hear it.').waitFor();
    expect(utterances).toEqual([
      { text: 'Hello, I’m Nia. Tell me about your work.', gender: 'female', locale: 'en-IE', rate: 0.8, pitch: 1 },
    ]);
    await expectAccessible(page);
    await picture(page, 'coach');

    await page.getByRole('tab', { name: 'Talk to the coach' }).click();
    await press(page, 'Start');
    await page.getByText(OPENING).waitFor();
    await field(page, 'Your answer').fill('I make bicycles.');
    await page.keyboard.press('Enter');
    await page.getByText(ANSWER).waitFor();
    await expectAccessible(page);
    await picture(page, 'coach-talk');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('explains what a server without a language model and a voice lacks', async () => {
    const { page, problems } = await openPanel(browser, plainServer, { width: 768, colorScheme: 'dark' });
    await writeCoach(page, plainServer);
    await press(page, 'Play a sample');
    await page.getByText(/^Your server has no voice, /).waitFor();
    await expectAccessible(page);
    await picture(page, 'coach-no-voice');
    await page.getByRole('tab', { name: 'Talk to the coach' }).click();
    await press(page, 'Start');
    await page.getByText('This server has no language model.').waitFor();
    await expectAccessible(page);
    await picture(page, 'coach-no-model');
    expect(problems).toEqual([]);
    await page.close();
  });
});
