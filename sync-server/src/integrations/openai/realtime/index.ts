/** Adapter for OpenAI's Realtime API or a server that speaks its protocol. */
export { createOpenAiRealtime, type OpenAiRealtimeOptions } from './openai-realtime.ts';
