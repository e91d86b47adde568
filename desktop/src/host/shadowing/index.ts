export { createShadowing, type Shadowing } from './shadowing.ts';
