/** The school's administration: learners, mail, statistics, settings, and items that need a decision. */
export { type School, createSchool } from './school.ts';
export { builtInLandingTexts, readBuiltInText } from './site-texts/built-in-texts.ts';
export type { PublishedText } from './site-texts/site-texts.ts';
export type { SecondFactor } from './second-factor.ts';
export { createIdentityReader, keepLastRead, LOGO_PATH, openLogo, readSchoolIdentity } from './identity.ts';
