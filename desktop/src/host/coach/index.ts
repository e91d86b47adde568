export type { CallLine, CallListener } from './call-line.ts';
export { type CloudCoach, CoachFailed, createCloudCoach, type Understood } from './cloud-coach.ts';
export { type CoachMemory, createCoachMemory } from './memory.ts';
export type { SpokenTurn } from './spoken-turn.ts';
