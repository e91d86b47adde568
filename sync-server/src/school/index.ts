/** What an admin needs to run a school: learners, mail, numbers, settings, and what waits for a decision. */
export { type School, createSchool } from './school.ts';
export type { SecondFactor } from './second-factor.ts';
export { createIdentityReader, LOGO_PATH, openLogo, readSchoolIdentity } from './identity.ts';
