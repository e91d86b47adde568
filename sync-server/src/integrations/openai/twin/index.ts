/** OpenAI on this machine, for tests and for trying the cloud's path without a key. */
export { type OpenAiTwin, type OpenAiTwinOptions, startOpenAiTwin } from './openai-twin.ts';
export { DIALECTS, documentProblem, requestProblem } from './dialect.ts';
export type { TwinCall, TwinStep } from './script.ts';
