/** Promises about external services: we parse their real responses, send only valid requests, and charge each call correctly. */
import { runTests } from '../measure/run-tests.ts';
import { type ProductPromise } from './promise.ts';

const OPENAI = 'sync-server/src/integrations/openai';

const JOURNEYS = ['--config', 'desktop/e2e/vitest.config.ts'];

const testsPromise = (claim: string, paths: readonly string[], named?: string): ProductPromise => ({
  claim,
  bar: 'all tests',
  measure: async () => {
    const { passed, failed } = await runTests([...paths, ...(named === undefined ? [] : ['-t', named])]);
    return { figure: `${passed} of ${passed + failed} tests`, holds: failed === 0 && passed > 0 };
  },
});

export const promises: readonly ProductPromise[] = [
  testsPromise('Azure’s published responses are interpreted as documented: no invented pause, monotony or omission', [
    'sync-server/src/integrations/azure-speech/assessment/published-responses.test.ts',
    'sync-server/src/integrations/azure-speech/assessment/mark-miscues.test.ts',
  ]),
  testsPromise(
    'Every request to OpenAI conforms to its published schema, for all models and voices, and no request with a planted unknown name does',
    [`${OPENAI}/valid-requests.test.ts`],
    'the requests of the adapters',
  ),
  testsPromise(
    'The fakes refuse what OpenAI refuses: unknown names, voices, speeds, the beta’s shapes, and parameters by model',
    ['fakes/src/openai/schemas', `${OPENAI}/valid-requests.test.ts`],
  ),
  testsPromise(
    'With OpenAI, Ollama, llama.cpp, vLLM and LM Studio, replies and structured output arrive, no reasoning is spoken, and each call is charged once',
    [`${OPENAI}/language-model/self-hosted-servers.test.ts`],
    'a server that imitates',
  ),
  testsPromise(
    'The server waits for a model that takes 40 s to load (on a clock a hundred times as fast); an impatient client never gets it',
    [`${OPENAI}/language-model/self-hosted-servers.test.ts`],
    'a model that is not loaded',
  ),
  testsPromise(
    'The fakes have the quirks of real servers: 400 on untyped items, ignored schemas, reasoning in the answer, misread strings, refused efforts',
    [`${OPENAI}/language-model/self-hosted-servers.test.ts`],
    'an imitated quirk',
  ),
  testsPromise(
    'Busy signals with Retry-After, cut and silent streams and garbled responses lose nothing and are charged correctly',
    [
      `${OPENAI}/language-model/language-model-failures.test.ts`,
      `${OPENAI}/language-model/usage.test.ts`,
      'sync-server/src/integrations/azure-speech/usage.test.ts',
    ],
  ),
  testsPromise(
    'Prices match the price lists, an unknown model costs as much as the most expensive, and reasoning is charged as output',
    ['sync-server/src/metering/prices.test.ts', 'sync-server/src/metering/realtime-prices.test.ts'],
  ),
  testsPromise(
    'In Chromium a whole practice is spoken, judged and scored with each of these servers, and their reasoning is never shown',
    [...JOURNEYS, 'dialects-journey', 'local-models-journey'],
  ),
  testsPromise('The service check finds each failure, says what to do about it, and prints no secret', [
    'sync-server/src/check-services',
  ]),
];
