/** A local server that speaks OpenAI's protocol, for tests and for trying the cloud coach without a key. */
export { type OpenAiFake, type OpenAiFakeOptions, startOpenAiFake } from './openai-fake.ts';
export { DIALECTS, documentProblem, requestProblem } from '../openai-compatible/dialects.ts';
export type { RecordedCall, ScriptStep } from './script.ts';
