/** The promises about services that are not ours: what they really answer is understood, what they refuse is never asked, and no call is charged wrongly. */
import { runTests } from '../measure/run-tests.ts';
import { type ProductPromise } from './promise.ts';

const OPENAI = 'sync-server/src/integrations/openai';

const tests = (says: string, paths: readonly string[], named?: string): ProductPromise => ({
  says,
  bar: 'all tests',
  keep: async () => {
    const { passed, failed } = await runTests([...paths, ...(named === undefined ? [] : ['-t', named])]);
    return { figure: `${passed} of ${passed + failed} tests`, holds: failed === 0 && passed > 0 };
  },
});

export const promises: readonly ProductPromise[] = [
  tests('Azure’s published answers come to what their words say: no invented pause, monotony or omission', [
    'sync-server/src/integrations/azure-speech/published-answers.test.ts',
    'sync-server/src/integrations/azure-speech/miscue.test.ts',
  ]),
  tests(
    'Every request to OpenAI keeps to its published document, in all models and voices, and none does with an unknown name planted anywhere',
    [`${OPENAI}/twin/strict.test.ts`],
    'what the adapters ask',
  ),
  tests(
    'The fakes refuse what OpenAI refuses: unknown names, voices, speeds, the beta’s shapes, and parameters by model',
    [`${OPENAI}/schemas`, `${OPENAI}/twin/strict.test.ts`],
  ),
  tests(
    'Before OpenAI, Ollama, llama.cpp, vLLM and LM Studio a reply and a form come, no thought is spoken, and each call is charged once',
    [`${OPENAI}/own-servers.test.ts`],
    'a server that speaks as',
  ),
  tests(
    'A model that takes 40 s to load (by a clock a hundred times as fast) is waited for; an impatient client never gets it',
    [`${OPENAI}/own-servers.test.ts`],
    'a model that is not in memory',
  ),
  tests(
    'The fakes have the quirks: 400 on untyped items, ignored forms, thoughts in the answer, misread strings, refused efforts',
    [`${OPENAI}/own-servers.test.ts`],
    'a quirk is there to be met',
  ),
  tests(
    'Busy signals with Retry-After, cut and silent streams and garbled answers lose nothing and are charged rightly',
    [
      `${OPENAI}/language-model-failures.test.ts`,
      `${OPENAI}/charge.test.ts`,
      'sync-server/src/integrations/azure-speech/charges.test.ts',
    ],
  ),
  tests('Prices are the listed ones, an unknown model costs as the dearest, and thoughts cost as output', [
    'sync-server/src/metering/prices.test.ts',
    'sync-server/src/metering/realtime-prices.test.ts',
  ]),
  tests('The check of the services finds each failure, says what to do about it, and prints no secret', [
    'sync-server/src/check-services',
  ]),
];
