export { type AiServices, type Coaching, createCoaching, type RealtimeService } from './coaching.ts';
export { createRealtimeCoaching, type RealtimeCoaching } from './realtime/realtime-coaching.ts';
export type { RealtimeConnection, RealtimeCoachSession } from './realtime/realtime-coach-session.ts';
export { createMeteredModel } from './metered-model.ts';
export { createMeteredVoice, type MeteredVoice } from './metered-voice.ts';
export { createMemory, type Memory } from './memory.ts';
