/** A whole practice with models on the learner's own computer: found, agreed to, spoken with, scored, missed, and given up. */
import type { LocalModel } from '@parley/contract';
import { bringInStarterCatalogue, buildApp, openDatabase } from '@parley/sync-server';
import { createOpenAiModel, createOpenAiTranscriber } from '@parley/sync-server/openai';
import { startOpenAiTwin, type TwinCall, type TwinStep } from '@parley/sync-server/openai/twin';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectAccessible } from './support/accessible.ts';
import { LIVE_PRACTICE } from './support/hold-live.ts';
import { saying } from './support/live-server.ts';
import { setUpLaptop } from './support/set-up-laptop.ts';
import { heardInTurn } from './support/speak-live.ts';

const LLAMA: LocalModel = { provider: 'ollama', model: 'llama3.3:latest' };
const QWEN: LocalModel = { provider: 'lm_studio', model: 'qwen/qwen3-8b' };
const WHISPER: LocalModel = { provider: 'lm_studio', model: 'whisper-large-v3' };
const SAID = 'I am sorry, the delivery will be two weeks late. Goodbye!';

const microphone = heardInTurn();
if (microphone === null) console.warn('skipped: speaking needs espeak-ng (Debian: espeak-ng)');

/** As an older server of one's own speaks it: chat completions alone, and no schema. */
async function startLocalServer() {
  const replies: TwinStep[] = [];
  const isReply = ({ body }: TwinCall): boolean => body['max_tokens'] !== 1 && body['response_format'] === undefined;
  const script = (call: TwinCall): TwinStep | undefined => {
    if (call.path.endsWith('/audio/transcriptions')) return saying(SAID);
    return isReply(call) ? replies.shift() : undefined;
  };
  const twin = await startOpenAiTwin({ script, paceMs: 20, lacks: { responses: 404, jsonSchema: true } });
  const access = { apiKey: twin.key, baseUrl: twin.url };
  const installed = { coaches: [LLAMA, QWEN], transcribers: [WHISPER] };
  const database = await openDatabase({ type: 'memory' });
  const app = await buildApp({
    database,
    accountCallsAMinute: 10_000,
    ai: {
      services: { coach: null, transcriber: null, assessor: null, voice: null },
      local: {
        find: async () => ({ ...installed }),
        coachOf: ({ model }) => ({
          where: 'this_computer',
          model: createOpenAiModel({ ...access, model, isOwnServer: true, loadsModel: true }),
          firstByteMs: 120_000,
        }),
        transcriberOf: ({ model }) => ({
          where: 'this_computer',
          transcriber: createOpenAiTranscriber({ ...access, model }),
        }),
      },
      dailyLimitUsd: null,
      countsMinutes: false,
    },
  });
  await bringInStarterCatalogue({ db: database.db, now: () => new Date() });
  return { app, twin, installed, replies };
}

const scene = setUpLaptop(async () => {
  const started = await startLocalServer();
  const address = await started.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    ...started,
    address,
    stop: async () => {
      await started.app.close();
      await started.twin.close();
    },
  };
});

const goTo = (page: Page, place: string): Promise<void> =>
  page.evaluate((hash) => {
    location.hash = hash;
  }, place);

const openBriefing = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Practise', exact: true }).click();
  await page.getByRole('link', { name: new RegExp(LIVE_PRACTICE) }).click();
  await page.getByRole('heading', { name: LIVE_PRACTICE }).waitFor();
};

it.skipIf(microphone === null)('models on this computer hear, answer and are given up', async () => {
  const { twin, installed, replies } = scene.server;
  const page = await scene.laptop.open(microphone === null ? {} : { microphone });
  await goTo(page, '/settings?part=coach');
  await page.getByRole('button', { name: 'Use llama3.3 on this computer as your coach' }).waitFor();
  await expectAccessible(page);
  expect(twin.calls).toEqual([]);
  await page.getByRole('button', { name: 'Use llama3.3 on this computer as your coach' }).click();
  await page.getByRole('button', { name: 'Use whisper-large-v3 for your voice' }).click();
  await page.getByText('is the coach you talk with freely').waitFor();
  await page.getByText('the model llama3.3:latest, on this computer').waitFor();
  await expectAccessible(page);
  expect(twin.calls).toEqual([]);

  replies.push(saying('Good morning, this is Grace. Do you have news about our order?'));
  await openBriefing(page);
  await page.getByText('a model on this computer').first().waitFor();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Go on without a check' }).click();
  await page.getByText('Do you have news about our order?').waitFor();
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await page.getByText('Recording').waitFor();
  await page.waitForTimeout(5_000);
  await page.getByRole('button', { name: 'Stop and see what was heard' }).click();
  await page.getByText('We heard').waitFor();
  replies.push(saying('Two weeks? Thank you for telling me. Goodbye! <goodbye/>'));
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Thank you for telling me.').waitFor();
  await page.getByRole('button', { name: /See your result|End the conversation/ }).click();
  const finish = page.getByRole('dialog').getByRole('button', { name: /Finish/ });
  if (await finish.isVisible()) await finish.click();
  await page.getByRole('heading', { name: 'Objectives' }).waitFor();
  await page.getByText('What went well').waitFor();
  // Scored on this computer, from what the model on it wrote down.
  expect(await page.locator('main').innerText()).toMatch(/Pronunciation\s+\d{2,3}\s/);
  await page.getByText('“delivery will be two weeks late”').first().waitFor();

  installed.coaches = [QWEN];
  // What was offered is asked for again after five seconds.
  await page.waitForTimeout(5_000);
  await openBriefing(page);
  await page.getByText('llama3.3, your coach on this computer, was not found.').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Open the settings' }).click();
  await page.getByText('llama3.3 was not found.').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Models on this computer');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Stop using it as your coach' }).click();
  await page.getByRole('button', { name: 'Use qwen3-8b on this computer as your coach' }).waitFor();
});
