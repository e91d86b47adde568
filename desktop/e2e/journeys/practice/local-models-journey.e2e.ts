/** A practice with local models, from consent to removal. */
import type { LocalModel } from '@parley/contract';
import { bringInStarterCatalogue, buildApp } from '@parley/sync-server';
import { openMemoryDatabase } from '@parley/sync-server/test-kit';
import { createOpenAiModel, createOpenAiTranscriber } from '@parley/sync-server/openai';
import { startOpenAiFake, type RecordedCall, type ScriptStep } from '@parley/fakes/openai/index.ts';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { expectAccessible } from '../../app/expect-accessible.ts';
import { LIVE_PRACTICE } from '../../steps/typed-session.ts';
import { answerWith } from '../../servers/model-coach-server.ts';
import { setUpLaptop } from '../../app/set-up-laptop.ts';
import { turnMicrophoneInput } from '../../steps/spoken-turn.ts';
import { speakTurn } from '../../steps/turns.ts';

const LLAMA: LocalModel = { provider: 'ollama', model: 'llama3.3:latest' };
const QWEN: LocalModel = { provider: 'lm_studio', model: 'qwen/qwen3-8b' };
const WHISPER: LocalModel = { provider: 'lm_studio', model: 'whisper-large-v3' };
const SAID = 'I am sorry, the delivery will be two weeks late. Goodbye!';

const microphone = turnMicrophoneInput();
if (microphone === null) console.warn('skipped: synthesised speech requires espeak-ng (Debian: espeak-ng)');

/** Behaves like an older self-hosted server: chat completions only, without a JSON schema. */
async function startLocalServer() {
  const replies: ScriptStep[] = [];
  const isReply = ({ body }: RecordedCall): boolean =>
    body['max_tokens'] !== 1 && body['response_format'] === undefined;
  const script = (call: RecordedCall): ScriptStep | undefined => {
    if (call.path.endsWith('/audio/transcriptions')) return answerWith(SAID);
    return isReply(call) ? replies.shift() : undefined;
  };
  const fake = await startOpenAiFake({ script, paceMs: 20, lacks: { responses: 404, jsonSchema: true } });
  const access = { apiKey: fake.key, baseUrl: fake.url };
  const installed = { coaches: [LLAMA, QWEN], transcribers: [WHISPER] };
  const database = await openMemoryDatabase();
  const app = await buildApp({
    database,
    strictRequestsPerMinute: 10_000,
    ai: {
      services: { coach: null, transcriber: null, assessor: null, voice: null },
      local: {
        findModels: async () => ({ ...installed }),
        createCoach: ({ model }) => ({
          where: 'this_computer',
          model: createOpenAiModel({ ...access, model, isSelfHosted: true, loadsModel: true }),
          firstByteMs: 120_000,
        }),
        createTranscriber: ({ model }) => ({
          where: 'this_computer',
          transcriber: createOpenAiTranscriber({ ...access, model }),
        }),
      },
      dailyLimitUsd: null,
      isMetered: false,
    },
  });
  await bringInStarterCatalogue({ db: database.db, now: () => new Date() });
  return { app, fake, installed, replies };
}

const fixture = setUpLaptop(async () => {
  const started = await startLocalServer();
  const address = await started.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    ...started,
    address,
    stop: async () => {
      await started.app.close();
      await started.fake.close();
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

it.skipIf(microphone === null)('local models transcribe, reply and can be removed', { tags: ['slow'] }, async () => {
  const { fake, installed, replies } = fixture.server;
  const page = await fixture.laptop.open(microphone === null ? {} : { microphone });
  await goTo(page, '/settings?part=coach');
  await page.getByRole('button', { name: 'Use llama3.3 on this computer as your coach' }).waitFor();
  await expectAccessible(page);
  expect(fake.calls).toEqual([]);
  await page.getByRole('button', { name: 'Use llama3.3 on this computer as your coach' }).click();
  await page.getByRole('button', { name: 'Use whisper-large-v3 for your voice' }).click();
  await page.getByText('is the coach you talk with freely').waitFor();
  await page
    .getByText('llama3.3:latest. What is said in a live conversation goes to a model on this computer as text.')
    .waitFor();
  await expectAccessible(page);
  expect(fake.calls).toEqual([]);

  replies.push(answerWith('Good morning, this is Grace. Do you have news about our order?'));
  await openBriefing(page);
  await page.getByText('a model on this computer').first().waitFor();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Continue without a check' }).click();
  await page.getByText('Do you have news about our order?').waitFor();
  await speakTurn(page, 5_000);
  await page.getByText('We heard').waitFor();
  replies.push(answerWith('Two weeks? Thank you for telling me. Goodbye! <goodbye/>'));
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Thank you for telling me.').waitFor();
  await page.getByRole('button', { name: /See your result|End the conversation/ }).click();
  const finish = page.getByRole('dialog').getByRole('button', { name: /Finish/ });
  if (await finish.isVisible()) await finish.click();
  await page.getByRole('heading', { name: 'Objectives' }).waitFor();
  await page.getByText('What went well').waitFor();
  // Scored on this computer from the local model's transcript.
  expect(await page.locator('main').innerText()).toMatch(/Sounds\s+(?:\d+ · )?\d+ %/);
  await page.getByText('“delivery will be two weeks late”').first().waitFor();

  installed.coaches = [QWEN];
  // The host asks for the available models again after five seconds.
  await page.waitForTimeout(5_000);
  await openBriefing(page);
  await page.getByText('llama3.3, your coach on this computer, wasn’t found.').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Open the settings' }).click();
  await page.getByText('llama3.3 wasn’t found.').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Models on this computer');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Stop using it as your coach' }).click();
  await page.getByRole('button', { name: 'Use qwen3-8b on this computer as your coach' }).waitFor();
});
