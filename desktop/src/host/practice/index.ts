export { type RealtimeSessions, createRealtimeSessions } from './realtime/realtime-sessions.ts';
export { createPractice, type Practice } from './practice.ts';
