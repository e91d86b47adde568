/** What helps when something is broken. */
export { createSupport, type Reopen, type Support } from './support.ts';
