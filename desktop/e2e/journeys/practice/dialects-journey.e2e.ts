/** A spoken practice with each kind of model server that implements OpenAI's protocol in its own dialect. */
import { bringInStarterCatalogue, buildApp } from '@parley/sync-server';
import { openMemoryDatabase } from '@parley/sync-server/test-kit';
import { createOpenAiModel, createOpenAiTranscriber } from '@parley/sync-server/openai';
import {
  type OpenAiFake,
  type OpenAiFakeOptions,
  startOpenAiFake,
  type RecordedCall,
  type ScriptStep,
} from '@parley/fakes/openai/index.ts';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { createDevice } from '../../app/device.ts';
import { LIVE_PRACTICE, REVIEW } from '../../steps/typed-session.ts';
import { answerWithJson, answerWith } from '../../servers/model-coach-server.ts';
import { turnMicrophoneInput } from '../../steps/spoken-turn.ts';
import { speakTurn } from '../../steps/turns.ts';

const SAID = 'I am sorry, the delivery will be two weeks late. Goodbye!';
const THINKING_TEXT = 'The learner wants to talk about a delay. I should ask why.';

/** Each server with the protocol deviations that its users run into first. */
const FAKE_OPTIONS_BY_SERVER: Readonly<Record<string, OpenAiFakeOptions>> = {
  OpenAI: { dialect: 'openai' },
  'Ollama, with a thinking model that must be loaded first': {
    dialect: 'ollama',
    model: { thought: THINKING_TEXT },
    load: { loadMs: 6_000, keepAliveMs: 300_000 },
  },
  'llama.cpp, which refuses untyped items and ignores formats': { dialect: 'llama.cpp' },
  'vLLM, whose model thinks in its answer and misreads strings': {
    dialect: 'vllm',
    model: { thought: THINKING_TEXT, dropsAssistantStrings: true },
  },
  'LM Studio, which refuses the plain JSON format': { dialect: 'lm-studio' },
};

const microphone = turnMicrophoneInput();
if (microphone === null) console.warn('skipped: synthesised speech requires espeak-ng (Debian: espeak-ng)');

/** Returns the name of the requested schema, or null for a spoken reply. */
function schemaNameOf({ body }: RecordedCall): string | null {
  const { format: overResponses } = (body['text'] ?? {}) as { format?: { name?: string } };
  const overChat = body['response_format'] as { json_schema?: { name?: string } } | undefined;
  return overResponses?.name ?? overChat?.json_schema?.name ?? (overChat === undefined ? null : 'unnamed');
}

async function startServer(options: OpenAiFakeOptions) {
  const replies: ScriptStep[] = [];
  const script = (call: RecordedCall): ScriptStep | undefined => {
    if (call.path.endsWith('/audio/transcriptions')) return answerWith(SAID);
    const schemaName = schemaNameOf(call);
    if (schemaName === 'verdict') return answerWithJson({ proofs: [{ objective: 1, words: 'two weeks late' }] });
    if (schemaName === 'review') return answerWithJson(REVIEW);
    return schemaName === null && call.body['max_tokens'] !== 1 ? replies.shift() : undefined;
  };
  const fake = await startOpenAiFake({ ...options, script, paceMs: 20 });
  const access = { apiKey: fake.key, baseUrl: fake.url };
  const isOwnServer = options.dialect !== 'openai';
  const database = await openMemoryDatabase();
  const app = await buildApp({
    database,
    strictRequestsPerMinute: 10_000,
    ai: {
      services: {
        coach: {
          where: isOwnServer ? 'own' : 'openai',
          model: createOpenAiModel({
            ...access,
            model: 'gpt-5.4-mini',
            isSelfHosted: isOwnServer,
            loadsModel: isOwnServer,
          }),
          ...(isOwnServer ? { firstByteMs: 120_000 } : {}),
        },
        transcriber: { where: 'own', transcriber: createOpenAiTranscriber({ ...access, model: 'whisper-1' }) },
        assessor: null,
        voice: null,
      },
      dailyLimitUsd: null,
      isMetered: false,
    },
  });
  await bringInStarterCatalogue({ db: database.db, now: () => new Date() });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    address,
    fake,
    replies,
    stop: async () => {
      await app.close();
      await fake.close();
    },
  };
}

async function completeSpokenPractice(page: Page, replies: ScriptStep[]): Promise<string> {
  replies.push(answerWith('Good morning, this is Grace. Do you have news about our order?'));
  await page.getByRole('link', { name: 'Practise', exact: true }).click();
  await page.getByRole('link', { name: new RegExp(LIVE_PRACTICE) }).click();
  await page.getByRole('heading', { name: LIVE_PRACTICE }).waitFor();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Continue without a check' }).click();
  await page.getByText('Do you have news about our order?').waitFor();
  await speakTurn(page, 5_000);
  await page.getByText('We heard').waitFor();
  replies.push(answerWith('Two weeks? Thank you for telling me. Goodbye! <goodbye/>'));
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Thank you for telling me.').waitFor();
  const words = await page.locator('main').innerText();
  await page.getByRole('button', { name: /See your result|End the conversation/ }).click();
  const finish = page.getByRole('dialog').getByRole('button', { name: /Finish/ });
  if (await finish.isVisible()) await finish.click();
  await page.getByRole('heading', { name: 'Objectives' }).waitFor();
  await page.getByText(REVIEW.best).waitFor();
  return words + (await page.locator('main').innerText());
}

const openRequestCount = ({ calls }: OpenAiFake): number => calls.filter(({ state }) => state === 'open').length;

it.skipIf(microphone === null).each(Object.entries(FAKE_OPTIONS_BY_SERVER))(
  'a spoken practice is scored and reviewed with %s',
  { tags: ['slow'] },
  async (_, options) => {
    const server = await startServer(options);
    const laptop = await createDevice();
    try {
      await laptop.start(server.address);
      const page = await laptop.open(microphone === null ? {} : { microphone });
      const visibleText = await completeSpokenPractice(page, server.replies);
      expect(visibleText).toMatch(/Sounds\s+(?:\d+ · )?\d+ %/);
      expect(visibleText).toContain('“two weeks late”');
      expect(visibleText).not.toContain('think');
      expect(visibleText).not.toContain(THINKING_TEXT.slice(0, 20));
      // The model received the conversation, whichever API its server offers.
      const last = server.fake.modelRequests.filter(({ messages }) =>
        JSON.stringify(messages).includes('two weeks late'),
      );
      expect(last.length).toBeGreaterThan(0);
      expect(openRequestCount(server.fake)).toBe(0);
    } finally {
      await laptop.remove();
      await server.stop();
    }
  },
);
