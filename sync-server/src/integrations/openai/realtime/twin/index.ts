/** OpenAI's Realtime API on this machine, for tests and for trying the ultra-realistic conversation without a key. */
export { type HostedRealtimeTwin, hostRealtimeTwin, type HostedTwinOptions, SECRETS_PATH } from './host.ts';
export { type RealtimeTwin, type RealtimeTwinOptions, startRealtimeTwin } from './realtime-twin.ts';
export { type TwinLine, type TwinOrders, type TwinRefusal, type TwinScript, type TwinSession } from './script.ts';
