/** Help when something is broken: reports, checks, the repair of the database and safe mode. */
export { type CrashFolder, createCrashes, type Crashes } from './crashes.ts';
export { createSupport, type Reopen, type Support } from './support.ts';
