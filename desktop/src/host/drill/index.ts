export { createDrills, type Drills } from './drills.ts';
