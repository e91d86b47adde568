export { type CloudCoach, CoachFailed, createCloudCoach, type Understood } from './cloud-coach.ts';
export { type CoachMemory, createCoachMemory } from './memory.ts';
