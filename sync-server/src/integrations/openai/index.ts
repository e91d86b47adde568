/** Adapters for OpenAI or any server that speaks its protocol: language model, realtime voice, transcription and synthesis. */
export { createOpenAiModel, type OpenAiModelOptions } from './language-model/language-model.ts';
export { createOpenAiRealtime } from './realtime/index.ts';
export { createOpenAiSynthesiser } from './speech/synthesiser.ts';
export { createOpenAiTranscriber } from './speech/transcriber.ts';
