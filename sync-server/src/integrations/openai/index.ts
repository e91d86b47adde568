/** OpenAI, or any server that speaks its protocol: a model to converse with, ears, and voices. */
export { createOpenAiModel, type OpenAiModelOptions } from './language-model.ts';
export { createOpenAiRealtime } from './realtime/index.ts';
export { createOpenAiSynthesiser } from './synthesiser.ts';
export { createOpenAiTranscriber } from './transcriber.ts';
