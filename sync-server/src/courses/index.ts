export { readSectionLocks, type SectionLocks } from './section-locks.ts';
export { mayOpenSections, recordOpenedSections } from './opened-sections.ts';
