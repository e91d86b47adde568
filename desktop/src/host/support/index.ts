/** What helps when something is broken. */
export { type CrashFolder, createCrashes, type Crashes } from './crashes.ts';
export { createSupport, type Reopen, type Support } from './support.ts';
