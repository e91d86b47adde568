/** Adapter for OpenAI's Realtime API or a server that speaks its protocol. */
export { createOpenAiRealtime } from './openai-realtime.ts';
