export { readSectionLocks, type SectionLocks } from './section-locks.ts';
export { recordOpenedSections } from './opened-sections.ts';
