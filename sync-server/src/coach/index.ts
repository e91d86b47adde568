export { type AiServices, type Coaching, createCoaching, type RealtimeService } from './coaching.ts';
export { createLiveCoaching, type LiveCoaching } from './live/live-coaching.ts';
export type { LiveLine, LiveTalk } from './live/live-talk.ts';
export { createMemory, type Memory } from './memory.ts';
