export { readSectionLocks } from './section-locks.ts';
export { mayOpenSections, recordOpenedSections } from './opened-sections.ts';
