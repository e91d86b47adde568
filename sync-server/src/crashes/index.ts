/** Crash reports that learners agreed to send. */
export { createCrashes, type Crashes } from './crashes.ts';
